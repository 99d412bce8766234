"""From a text to its mentions: by a model that is asked for them, or by the snapshot's names.

    instructions   what the model is asked, and the JSON schema of its answer
    parse          the answer's JSON: surface forms with their types
    ground         which of them stand in the text, and where
    gazetteer      the dictionary extractor, which needs no model
    language       which language a text is written in

Pure functions: they know no model, no store and no console.
"""

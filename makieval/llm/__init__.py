"""Talking to language models: from a request to an answer that is kept.

endpoint    where a model is asked, and what of that can change an answer
request     one question and its key
answer      what came of it, with a status
asker       many requests at once          lane, reply, retry   how one endpoint is treated
embedded    a model file served by ourselves
modelfile   which files there are          pull                 where they come from
prices      what tokens cost
"""

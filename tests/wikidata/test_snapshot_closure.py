"""The class closure: what lies under a root, how far, and which way up."""

from hypothesis import given
from hypothesis import strategies as st

from makieval.wikidata.closure import Under, subclasses, under

EDGES = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), max_size=40)


def test_the_root_alone_has_no_parent() -> None:
    assert list(under(1, {})) == [Under(1, 1, 0, None)]


def test_the_shortest_way_up_is_kept() -> None:
    below = subclasses([(2, 1), (3, 2), (4, 3), (4, 1)])
    assert {entry.cls: (entry.depth, entry.parent) for entry in under(1, below)} == {
        1: (0, None),
        2: (1, 1),
        3: (2, 2),
        4: (1, 1),
    }


def test_of_two_ways_as_short_the_lowest_qid_is_kept() -> None:
    for edges in ([(9, 1), (10, 1), (5, 10), (5, 9)], [(5, 9), (5, 10), (10, 1), (9, 1)]):
        found = {entry.cls: entry.parent for entry in under(1, subclasses(edges))}
        assert found[5] == 9


def test_a_circle_ends() -> None:
    below = subclasses([(2, 1), (1, 2), (3, 2), (2, 3), (1, 1)])
    assert [entry.cls for entry in under(1, below)] == [1, 2, 3]


@given(EDGES, st.randoms())
def test_the_order_of_edges_does_not_matter(edges: list[tuple[int, int]], random: object) -> None:
    shuffled = sorted(edges, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert list(under(1, subclasses(edges))) == list(under(1, subclasses(shuffled)))


@given(EDGES)
def test_every_way_leads_to_the_root_in_as_many_steps_as_told(
    edges: list[tuple[int, int]],
) -> None:
    found = {entry.cls: entry for entry in under(1, subclasses(edges))}
    for entry in found.values():
        steps, here = 0, entry
        while here.parent is not None:
            assert (here.cls, here.parent) in edges
            here = found[here.parent]
            steps += 1
        assert (here.cls, steps) == (1, entry.depth)


@given(EDGES)
def test_nothing_under_the_root_is_left_out(edges: list[tuple[int, int]]) -> None:
    reached = {1}
    while more := {child for child, parent in edges if parent in reached} - reached:
        reached |= more
    assert {entry.cls for entry in under(1, subclasses(edges))} == reached

"""Guided lessons: prose bound to the stage, a prediction first, facts that are checked.

A lesson is data (`lesson.Lesson`): scenes, each a scenario on the stage; facts, each a
number or a word computed on the runs of the scenes, which its prose quotes; claims,
each a predicate on these runs, without which the prose does not say its words; and
steps. The prose is a markdown file of the lesson's name, see `texts.claims`. One test
runs the facts and claims of all lessons.
"""

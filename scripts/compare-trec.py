#!/usr/bin/env python3
"""Compares the figures in NAME.json with those of ranx and ir-measures over NAME.run and NAME.qrels.

Usage: scripts/compare-trec.py NAME; see scripts/check-trec.
"""
import json
import sys

import ir_measures
from ir_measures import AP, P, R, RR, Success, nDCG
from ranx import Qrels, Run, evaluate

name = sys.argv[1]
with open(name + ".json", encoding="utf-8") as file:
    report = json.load(file)

# The report's name of each figure, that of ranx and that of ir-measures.
figures = [("nDCG@10", "ndcg@10", nDCG @ 10), ("MRR", "mrr", RR), ("MAP", "map", AP)]
for k in report["cutoffs"]:
    figures += [
        (f"recall@{k}", f"recall@{k}", R @ k),
        (f"hit@{k}", f"hit_rate@{k}", Success @ k),
        (f"precision@{k}", f"precision@{k}", P @ k),
    ]

qrels = Qrels.from_file(name + ".qrels", kind="trec")
run = Run.from_file(name + ".run", kind="trec")
by_ranx = evaluate(qrels, run, [figure[1] for figure in figures])
by_measures = ir_measures.calc_aggregate(
    [figure[2] for figure in figures],
    ir_measures.read_trec_qrels(name + ".qrels"),
    ir_measures.read_trec_run(name + ".run"),
)

differing = 0
for own, ranx_name, measure in figures:
    values = [report[own], float(by_ranx[ranx_name]), by_measures[measure]]
    is_same = max(values) - min(values) < 1e-9
    differing += not is_same
    print(f"{'ok ' if is_same else 'BAD'} {own:14}" + "".join(f"{value:12.6f}" for value in values))
print(f"{name.rsplit('/', 1)[-1]}: {len(qrels)} questions, {differing} figures differ (report, ranx, ir-measures)")
sys.exit(1 if differing else 0)

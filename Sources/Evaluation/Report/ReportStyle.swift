/// The page's style sheet: nothing is loaded from anywhere.
enum ReportStyle {
    static let sheet = """
        :root { color-scheme: light dark; --page: #fbfbfc; --card: #ffffff; --ink: #1b1f27; --soft: #5a6372;
          --line: #d9dde5; --good: #1a7f4b; --bad: #b3261e; --mark: #e7f5ec;
          --s0: #2f6fdb; --s1: #c2571a; --s2: #1b8a7a; --s3: #8250c4; --s4: #8a6d00; --s5: #b0306a; }
        @media (prefers-color-scheme: dark) {
          :root { --page: #14161b; --card: #1c1f26; --ink: #e6e8ec; --soft: #a2aab8; --line: #363b46;
            --good: #62d49a; --bad: #ff8f87; --mark: #17301f;
            --s0: #7fb0ff; --s1: #ffa869; --s2: #5fd3c1; --s3: #c3a1ff; --s4: #e3c550; --s5: #ff93c0; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--page); color: var(--ink);
          font: 16px/1.5 system-ui, sans-serif; }
        h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .75rem; }
        h3 { font-size: 1rem; margin: 1rem 0 .5rem; }
        .soft { color: var(--soft); } code { font-size: .85em; overflow-wrap: anywhere; }
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1rem; }
        figure, .miss, .scroll { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin: 0; }
        figure { padding: 1rem; } figcaption { font-weight: 600; margin-bottom: .5rem; }
        .scroll { overflow-x: auto; } svg { width: 100%; height: auto; display: block; }
        svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg .grid { stroke: var(--line); }
        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
        th, td { text-align: left; padding: .35rem .75rem; border-bottom: 1px solid var(--line); vertical-align: top; }
        th[scope=row], .run { white-space: nowrap; max-width: 18rem; overflow: hidden; text-overflow: ellipsis; }
        tr:last-child > * { border-bottom: 0; } .n { text-align: right; white-space: nowrap; }
        .key { display: inline-block; width: .8em; height: .8em; border-radius: .2em; margin-right: .4em; }
        .filter { border: 0; padding: 0; margin: 0 0 .75rem; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
        .miss { margin-bottom: .5rem; } .miss summary { padding: .6rem 1rem; cursor: pointer; }
        .miss > div { padding: 0 1rem 1rem; } summary .soft { font-size: .85rem; }
        :focus-visible { outline: 3px solid var(--s0); outline-offset: 2px; }
        .text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; max-height: 16rem; overflow-y: auto; }
        td .text { min-width: 16rem; } .when { white-space: nowrap; }
        .hit { background: var(--mark); } .good { color: var(--good); } .bad { color: var(--bad); }
        """
}

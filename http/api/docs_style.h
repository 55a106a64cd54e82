#pragma once
// What the reference page looks like, by day and by night. Part of docs_page.cc.
#include <string_view>

namespace slashpost::api {

inline constexpr std::string_view docs_style = R"css(
:root{color-scheme:light dark;--ink:#1c2024;--soft:#5b6672;--page:#fff;--card:#f6f8fa;--line:#dde3e9;--link:#0a58ca;
--get:#0b6e4f;--post:#0a58ca;--put:#8a5a00;--patch:#8a5a00;--delete:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--soft:#9aa6b2;--page:#14171a;--card:#1d2226;--line:#2e353c;--link:#7db1ff;
--get:#5fd3a8;--post:#7db1ff;--put:#f0b860;--patch:#f0b860;--delete:#ff8f85}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;color:var(--ink);background:var(--page);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
a{color:var(--link);text-decoration:none}
a:hover{text-decoration:underline}
code,pre{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{margin:.5rem 0 1rem;padding:.8rem 1rem;overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:8px}
h1{font-size:1.6rem;margin:0 0 .5rem}
h2{margin:3rem 0 .5rem;padding-bottom:.3rem;border-bottom:1px solid var(--line);text-transform:capitalize}
h3{margin:0;font-size:1.05rem;overflow-wrap:anywhere}
h4{margin:1.2rem 0 .3rem;font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
table{width:100%;border-collapse:collapse;font-size:.92rem}
td,th{padding:.4rem .6rem .4rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600}
td:first-child{white-space:nowrap}
td p{margin:0;overflow-wrap:anywhere}
.wide{overflow-x:auto}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;padding:.5rem;background:var(--card)}
nav{padding:1.2rem 1rem}
nav ul{margin:.2rem 0 .8rem;padding:0;list-style:none}
nav li a{display:block;padding:.1rem .3rem;border-radius:4px;color:var(--ink);font-size:.85rem;overflow-wrap:anywhere}
nav li a:hover{background:var(--card)}
nav summary{cursor:pointer;font-weight:600;text-transform:capitalize}
main{max-width:62rem;padding:1.2rem 1rem 6rem}
section{margin:1.2rem 0;padding:1rem 1.2rem;border:1px solid var(--line);border-radius:10px}
section:target{border-color:var(--link);box-shadow:0 0 0 1px var(--link)}
.m{font:700 .75em ui-monospace,Menlo,Consolas,monospace;margin-right:.4em}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.patch{color:var(--patch)}.delete{color:var(--delete)}
.needs{margin:.4rem 0 0;padding:0;list-style:none;display:flex;flex-wrap:wrap;gap:.4rem}
.needs li{padding:.1rem .5rem;font-size:.8rem;border:1px solid var(--line);border-radius:99px;background:var(--card)}
.must{color:var(--delete);font-size:.8rem}
.soft{color:var(--soft);font-size:.9rem}
@media(min-width:60rem){body{display:grid;grid-template-columns:19rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;border-right:1px solid var(--line)}main{padding:2rem 3rem 6rem}}
@media print{nav{display:none}section{break-inside:avoid}}
)css";

} // namespace slashpost::api

#pragma once
// What the reference page looks like, by day and by night, on a telephone and on a desk. Whatever one can
// press is at least 24 pixels wide and high; only blocks of code scroll sideways. Part of docs_page.cc.
#include <string_view>

namespace slashpost::api {

inline constexpr std::string_view docs_style = R"css(
:root{color-scheme:light dark;--ink:#1b2128;--soft:#57626e;--page:#fff;--card:#f5f7f9;--line:#dce2e8;--link:#0a58ca;
--get:#0b6e4f;--post:#0a58ca;--put:#8a5a00;--patch:#8a5a00;--delete:#b3261e;--mark:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--soft:#9fabb7;--page:#13171b;--card:#1b2127;--line:#2d353d;--link:#82b4ff;
--get:#5fd3a8;--post:#82b4ff;--put:#f0b860;--patch:#f0b860;--delete:#ff8f85;--mark:#13171b}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-behavior:smooth;scroll-padding-top:4.5rem;-webkit-text-size-adjust:100%}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;color:var(--ink);background:var(--page);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
a{color:var(--link);text-decoration:none;display:inline-block;min-width:24px;min-height:24px}
a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
code,pre{font:.875em/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{margin:.4rem 0 1rem;padding:.8rem 1rem;overflow-x:auto;overflow-wrap:normal;background:var(--card);border:1px solid var(--line);border-radius:8px}
p{margin:.4rem 0}
h1{font-size:1.9rem;line-height:1.2;letter-spacing:-.02em;margin:0 0 .6rem}
h2{margin:3.5rem 0 .2rem;font-size:1.45rem;letter-spacing:-.01em;text-transform:capitalize}
h3{margin:0;font-size:1.02rem}
h4{margin:1.3rem 0 .3rem;font-size:.78rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
.bar{position:sticky;top:0;z-index:1;display:flex;align-items:center;gap:1rem;padding:.6rem 1rem;background:var(--page);border-bottom:1px solid var(--line)}
.bar>a{flex:none;color:var(--ink);font-weight:700}
#search{flex:1;display:flex;align-items:center;gap:.6rem;max-width:32rem;min-width:0;margin-left:auto}
#search input{flex:1;min-width:0;height:36px;padding:0 .8rem;font:inherit;font-size:16px;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px}
#search output{flex:none;color:var(--soft);font-size:.85rem}
#search output:empty{display:none}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;z-index:2;padding:.5rem;background:var(--card)}
nav{padding:.3rem 1rem;border-bottom:1px solid var(--line);font-size:.86rem}
nav p{margin:0}
nav p a{display:block;padding:.25rem .4rem}
nav ul{margin:0 0 .5rem;padding:0;list-style:none}
nav li a{display:flex;gap:.5rem;align-items:baseline;padding:.2rem .4rem;border-radius:6px;color:var(--ink)}
nav li a:hover{background:var(--card);text-decoration:none}
nav .m{flex:none;width:3.1rem}
summary{cursor:pointer;min-height:32px;padding:.25rem 0}
nav summary{font-weight:600;text-transform:capitalize}
nav details details{margin-left:.4rem}
main{max-width:70rem;padding:1.4rem 1rem 6rem}
section{margin:1rem 0;padding:1rem;border:1px solid var(--line);border-radius:12px}
section:target{border-color:var(--link);box-shadow:0 0 0 1px var(--link)}
section>p{margin:.5rem 0}
h3 a{display:flex;flex-wrap:wrap;gap:.2rem .6rem;align-items:center;color:var(--ink)}
h3 code{font-weight:600}
.m{font:700 .7rem/1.5 ui-monospace,Menlo,Consolas,monospace}
h3 .m{padding:.15rem .5rem;border-radius:6px;color:var(--mark)}
nav .get{color:var(--get)}nav .post{color:var(--post)}nav .put{color:var(--put)}nav .patch{color:var(--patch)}nav .delete{color:var(--delete)}
h3 .get{background:var(--get)}h3 .post{background:var(--post)}h3 .put{background:var(--put)}h3 .patch{background:var(--patch)}h3 .delete{background:var(--delete)}
.needs{margin:.6rem 0 0;padding:0;list-style:none;display:flex;flex-wrap:wrap;gap:.4rem}
.needs li{padding:.05rem .6rem;font-size:.8rem;border:1px solid var(--line);border-radius:99px;background:var(--card)}
dl{margin:0}
dl>div{padding:.5rem 0;border-top:1px solid var(--line)}
dt{display:flex;flex-wrap:wrap;gap:.1rem .6rem;align-items:baseline}
dt code{font-weight:600}
dd{margin:0}
dd p{margin:.1rem 0}
dt span,.soft{color:var(--soft);font-size:.88rem}
dt b{color:var(--delete);font-size:.78rem;font-weight:600}
@media(min-width:62rem){body{display:grid;grid-template-columns:19rem minmax(0,1fr);grid-template-rows:auto 1fr}
.bar{grid-column:1/-1}nav{position:sticky;top:57px;height:calc(100vh - 57px);overflow-y:auto;border:0;border-right:1px solid var(--line);padding:1rem}
#contents>summary{display:none}main{padding:2rem 2.5rem 8rem}section{padding:1.2rem 1.4rem}}
@media(min-width:75rem){.two{display:grid;grid-template-columns:minmax(0,1fr) 25rem;gap:0 2rem}}
@media print{nav,#search{display:none}section{break-inside:avoid}}
)css";

} // namespace slashpost::api

// A document with every kind of formatting, as it is pasted.

export const DOCUMENT_HTML = `
<h1>Launch of the reading room</h1>
<p>What we agreed on <b>Thursday</b>, with the <a href="https://example.org/plan">plan of the
architects</a>. Open questions are <mark class="highlight:yellow">marked</mark>; what is
<span class="color:red" style="color:red">late</span> is red.</p>
<h2>Decisions</h2>
<ol><li>Open on the first of March<ol><li>Members one week earlier</li></ol></li>
<li>The terrace stays closed until the railing is <i>tested</i></li></ol>
<h2>To do</h2>
<ul><li><input type="checkbox" checked> Order 40 m<sup>2</sup> of cork</li>
<li><input type="checkbox"> Sign for the entrance</li>
<li><input type="checkbox"> Invite the neighbours<ul><li><input type="checkbox" checked> write the
letter</li></ul></li></ul>
<blockquote><p>A room to read in needs light, quiet, and a door that closes.</p></blockquote>
<h2>Opening hours on the screen</h2>
<pre><code class="language-python">def is_open(day: str, hour: int) -> bool:
    # Closed on Mondays.
    return day != "Monday" and 9 <= hour < 21</code></pre>
<hr>
<p>Call <code>is_open("Friday", 20)</code> before you come; CO<sub>2</sub> is shown beside it.</p>`;

// The pages of signing in and out. The server writes their HTML and lets no script run on them;
// this file is there to name their styles.
//
//   <main class="sign-in">
//     <form><h1>…</h1> <p class="problem">…</p> <div class="field">…</div> <button>…</button></form>
//   </main>

import './sign-in.css';

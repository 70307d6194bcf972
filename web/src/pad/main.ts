// The pad page: the server writes the shell, the frame renders into it.

import './pad.css';

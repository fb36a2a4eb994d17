// The order matters: the library's modules have circular imports that resolve only from this entry.
import '@kinvolk/headlamp-plugin/lib/plugin'
import './offline'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import './fonts.css'

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)

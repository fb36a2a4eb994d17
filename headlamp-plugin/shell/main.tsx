// Order matters: the library's modules import each other in circles, and only this entry resolves them.
import '@kinvolk/headlamp-plugin/lib/plugin'
import './offline'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import './fonts.css'

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)

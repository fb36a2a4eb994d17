// This import must be the first: the library's modules import each other in a cycle that works only from this entry.
import '@kinvolk/headlamp-plugin/lib/plugin'
import './offline'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import './fonts.css'

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)

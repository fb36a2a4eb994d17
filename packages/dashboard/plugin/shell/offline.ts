// Loads icons and the code editor with its workers from this server instead of the Internet.
import { addAPIProvider } from '@iconify/react'
import { getAppUrl } from '@kinvolk/headlamp-plugin/lib/helpers/getAppUrl'
import { loader } from '@monaco-editor/react'
import * as monaco from 'monaco-editor'
import EditorWorker from 'monaco-editor/esm/vs/editor/editor.worker?worker'
import JsonWorker from 'monaco-editor/esm/vs/language/json/json.worker?worker'

const appUrl = new URL(getAppUrl())
addAPIProvider('', { resources: [appUrl.origin], path: `${appUrl.pathname}icons/` })

self.MonacoEnvironment = {
  getWorker: (_id: string, label: string) => (label === 'json' ? new JsonWorker() : new EditorWorker()),
}
loader.config({ monaco })

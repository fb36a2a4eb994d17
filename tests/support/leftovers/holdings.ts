import { readdirSync } from 'node:fs'
import { liveDescendants, processCommand } from './descendants.ts'
import type { Holdings } from './leftovers.ts'

/** The folder in which Node.js caches compiled modules for later processes (see "compile cache" in the documentation of node:module). */
const COMPILE_CACHE = 'node-compile-cache'

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).filter((name) => name !== COMPILE_CACHE)
  } catch {
    return []
  }
}

/** Reports whether the command is esbuild's service. All later calls in this process use the same service, and it ends with the process. */
const isEsbuild = (command: string): boolean => /\besbuild(?:\.exe)? --service=/.test(command)

/** Returns the resources that this process currently holds. Takes less than a millisecond. */
export const currentHoldings = (temporaryFolder: string): Holdings => ({
  processes: new Map(
    liveDescendants().flatMap((id) => {
      const command = processCommand(id)
      return command === undefined || isEsbuild(command) ? [] : [[id, command] as const]
    }),
  ),
  resources: process.getActiveResourcesInfo(),
  files: filesIn(temporaryFolder),
})

interface Handle {
  readonly type: string
  readonly is_active?: boolean
  readonly is_referenced?: boolean
  readonly localEndpoint?: { readonly host?: string; readonly port: number } | null
  readonly remoteEndpoint?: object | null
}

/**
 * Returns the ports on which this process listens, as text. Slow, because it needs a diagnostic report of Node.js, so it is only used for
 * messages.
 */
export const listeningPorts = (): readonly string[] => {
  const { libuv } = process.report.getReport() as unknown as { readonly libuv: readonly Handle[] }
  return libuv.flatMap(({ type, localEndpoint, remoteEndpoint, is_referenced: isReferenced }) =>
    type === 'tcp' && isReferenced === true && localEndpoint != null && remoteEndpoint == null
      ? [`port ${localEndpoint.port} is open`]
      : [],
  )
}

import { delimiter, join } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import type { Connection } from './connection.ts'
import { inClusterConnection } from './in-cluster.ts'
import { Kubeconfig } from './kubeconfig.ts'

export interface ConnectOptions {
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  /** An explicit file, from a flag; must exist. */
  readonly kubeconfig?: string
  readonly context?: string
}

/**
 * Finds the API server in upstream's order: the explicit file, the files in `KUBECONFIG`, the in-cluster service account,
 * `~/.kube/config`. Throws a `KerfError` that names what was looked at.
 */
export const findConnection = ({ clock, env, kubeconfig, context }: ConnectOptions): Connection => {
  if (kubeconfig !== undefined) return Kubeconfig.load([kubeconfig]).connection(clock, context)
  const searched: string[] = []
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '')
  if (listed.length > 0) {
    const found = Kubeconfig.load(listed, { optional: true })
    if (!found.isEmpty) return found.connection(clock, context)
    searched.push(...listed)
  } else searched.push('$KUBECONFIG')
  const inCluster = inClusterConnection(env, clock)
  if (inCluster !== undefined && context === undefined) return inCluster
  const home = join(env['HOME'] ?? env['USERPROFILE'] ?? '.', '.kube', 'config')
  const found = Kubeconfig.load([home], { optional: true })
  if (!found.isEmpty) return found.connection(clock, context)
  throw runtimeErrors.NoCluster({ searched: [...searched, 'the in-cluster service account', home] })
}

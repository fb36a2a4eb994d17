import type { Connection } from '@kerf/runtime'
import type { RunSettings } from './run-settings.ts'

/**
 * Returns the namespace for the process's own objects: the configured namespace, or else the namespace of its pod or in its
 * kubeconfig.
 */
export const resolveSystemNamespace = (
  { systemNamespace }: Pick<RunSettings, 'systemNamespace'>,
  { namespace = 'kube-system' }: Pick<Connection, 'namespace'>,
): string => (systemNamespace === '' ? namespace : systemNamespace)

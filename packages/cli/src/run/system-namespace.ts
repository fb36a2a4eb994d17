import type { Connection } from '@kerf/runtime'
import type { RunSettings } from './run-settings.ts'

/**
 * Returns the namespace for the process's own objects: the configured namespace, otherwise the namespace of the pod, or the one in the
 * kubeconfig.
 */
export const resolveSystemNamespace = (
  { systemNamespace }: Pick<RunSettings, 'systemNamespace'>,
  { namespace = 'kube-system' }: Pick<Connection, 'namespace'>,
): string => (systemNamespace === '' ? namespace : systemNamespace)

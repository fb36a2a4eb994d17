import type { Connection } from '@kerf/runtime'
import type { RunSettings } from './run-settings.ts'

/** Returns the namespace for the objects of the process itself: the configured namespace, or that of its pod or kubeconfig. */
export const systemNamespaceOf = (
  { systemNamespace }: Pick<RunSettings, 'systemNamespace'>,
  { namespace = 'kube-system' }: Pick<Connection, 'namespace'>,
): string => (systemNamespace === '' ? namespace : systemNamespace)

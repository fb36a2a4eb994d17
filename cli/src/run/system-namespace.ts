import type { Connection } from '@kerf/runtime'
import type { RunSettings } from './run-settings.ts'

/** The namespace of the process's own objects: as set, or that of its pod or kubeconfig. */
export const systemNamespaceOf = (
  { systemNamespace }: Pick<RunSettings, 'systemNamespace'>,
  { namespace = 'kube-system' }: Pick<Connection, 'namespace'>,
): string => (systemNamespace === '' ? namespace : systemNamespace)

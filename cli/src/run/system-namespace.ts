import type { Connection } from '@kerf/runtime'
import type { RunSettings } from './run-settings.ts'

/** The namespace that the process keeps its own objects in: as set, else that of its pod or kubeconfig. */
export const systemNamespaceOf = (
  { systemNamespace }: Pick<RunSettings, 'systemNamespace'>,
  { namespace = 'kube-system' }: Pick<Connection, 'namespace'>,
): string => (systemNamespace === '' ? namespace : systemNamespace)

import { type Condition, type KubeObject, kinds } from '@kerf/apis'
import type { DashboardCase } from '@kerf/provider-contract/dashboard/testing'
import type { KubeClient } from '@kerf/runtime'
import { importProviderExports } from './provider-exports.ts'

/** Returns the dashboard cases of every provider and of every cloud that has no provider. */
export const dashboardCases = async (): Promise<readonly DashboardCase[]> => {
  const modules = await importProviderExports<{ readonly dashboardCases: readonly DashboardCase[] }>(
    './testing/dashboard',
  )
  return modules.flatMap((each) => each.dashboardCases)
}

/**
 * Creates the example of a dashboard case with its status. The cluster must have the CustomResourceDefinition of the case. `conditions`
 * replaces the conditions of the example.
 */
export const createExample = async (
  client: Pick<KubeClient, 'create' | 'patch'>,
  { example, plural }: DashboardCase,
  conditions?: readonly Condition[],
): Promise<void> => {
  const [group = '', version = ''] = example.apiVersion.split('/')
  const kind = { group, version, kind: example.kind, plural, namespaced: false } as never
  const { name } = example.metadata
  await client.create(kind, { ...example, metadata: { name } } as never)
  const status = conditions === undefined ? example.status : { ...example.status, conditions }
  await client.patch(kind, { name }, { type: 'merge', body: { status } }, { subresource: 'status' })
}

/** Returns the dashboard cases of the node classes whose CustomResourceDefinition the cluster does not have. */
export const uninstalledCases = async (client: Pick<KubeClient, 'list'>): Promise<readonly DashboardCase[]> => {
  const { items } = await client.list(kinds.CustomResourceDefinition as never)
  const installed = new Set(items.map(({ metadata }: KubeObject) => metadata.name))
  return (await dashboardCases()).filter(
    ({ plural, example }) => !installed.has(`${plural}.${example.apiVersion.split('/')[0]}`),
  )
}

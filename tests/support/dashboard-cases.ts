import { type KubeObject, kinds } from '@kerf/apis'
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

/** Returns the dashboard cases of the node classes whose CustomResourceDefinition the cluster does not have. */
export const uninstalledCases = async (client: Pick<KubeClient, 'list'>): Promise<readonly DashboardCase[]> => {
  const { items } = await client.list(kinds.CustomResourceDefinition as never)
  const installed = new Set(items.map(({ metadata }: KubeObject) => metadata.name))
  return (await dashboardCases()).filter(
    ({ plural, example }) => !installed.has(`${plural}.${example.apiVersion.split('/')[0]}`),
  )
}

import type { DisplayOnly } from '@kerf/provider-contract'
import type { DashboardCase } from '@kerf/provider-contract/dashboard/testing'
import { importProviderExports } from './provider-exports.ts'

/** Returns the dashboard cases of every provider and of every cloud that has no provider. */
export const dashboardCases = async (): Promise<readonly DashboardCase[]> => {
  const modules = await importProviderExports<{ readonly dashboardCases: readonly DashboardCase[] }>(
    './testing/dashboard',
  )
  return modules.flatMap((each) => each.dashboardCases)
}

/** Returns the dashboard cases of clouds that have no provider. */
export const displayOnlyCases = async (): Promise<readonly DashboardCase[]> => {
  const modules = await importProviderExports<{ readonly display: DisplayOnly }>('./display')
  const kinds = new Set(modules.flatMap(({ display }) => display.dashboard.kinds.map(({ kind }) => kind)))
  return (await dashboardCases()).filter(({ example }) => kinds.has(example.kind))
}

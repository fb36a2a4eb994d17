import { dashboardCases } from '../../../support/dashboard-cases.ts'

const [first] = await dashboardCases()
if (first === undefined) throw new Error('no provider exports ./testing/dashboard')
const { apiVersion, kind, metadata } = first.example

/** The node class that is not ready in the small cluster of `odd-objects.ts`: the first one of the dashboard cases. */
export const failingClass = {
  provider: first.provider,
  /** The reference to the class in a NodePool. */
  ref: { group: apiVersion.split('/')[0] ?? '', kind, name: metadata.name },
} as const

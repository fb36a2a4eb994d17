import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'
import { recordedCalls, SIZES } from './recorded-calls.ts'

const table = (cluster: 'workload' | 'management'): string => {
  const recorded = recordedCalls()
  return callsTable(SIZES, (size) => recorded[`${size}`]?.[cluster], { head: 'call', plural: 'calls' })
}

const content = (): string => `# Calls to the two clusters of Cluster API

This page counts the calls of an idle Kerf with \`--provider=cluster-api\` to the API servers of the workload cluster and of the management
cluster. The clusters have one ClusterAPINodeClass, one NodePool, one MachineDeployment, and 0 or 1,000 nodes.
\`npm run bench:calls -- cluster-api\` counts the calls: it runs all of Kerf in virtual time against two in-memory API servers, and fails if a
count is higher than on this page. \`npm run generate\` writes the page from the counts.
\`providers/cluster-api/bench/cluster-api-calls.test.ts\` compares a part of the counts in every test run.

The in-memory API servers refuse the first SelfSubjectAccessReview, and Kerf then sends no further ones. A real API server receives one for
each verb that Kerf needs, in the first minute. A watch stays open for five to ten minutes, and then Kerf reopens it. Kerf renews its Lease
every two seconds. The steady hour begins ten minutes after the start.

## Management cluster

${table('management')}

Upstream's provider (kubernetes-sigs/karpenter-provider-cluster-api 2e0fec7) reads through the cache of controller-runtime. It caches
Machines and MachineDeployments in all namespaces, with two lists and two watches at its start, and reopens the watches later. Kerf also
watches MachineSets and Clusters. MachineSets show whether Cluster API would delete the right Machine, and Clusters show whether they are
paused. Kerf watches only the Machines of its own Cluster.

## Workload cluster

${table('workload')}
`

/** The documentation page about calls to both clusters, generated from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/cluster-api/docs/cluster-api-calls.md', content }

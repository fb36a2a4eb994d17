import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'
import type { NodeKind } from './measure.ts'
import { recordedCalls, SIZES } from './recorded-calls.ts'

const table = (kind: NodeKind): string => {
  const recorded = recordedCalls()[kind]
  return callsTable(SIZES, (size) => recorded?.[`${size}`], { head: 'operation', plural: 'requests' })
}

const content = (): string => `# Calls to Azure

This page counts the requests of Kerf with \`--provider=azure\` to Azure on an idle cluster: one AKSNodeClass, one NodePool, and 0 or 1,000
nodes. \`npm run bench:calls -- azure\` counts the requests: it runs all of Kerf in virtual time against a fake Azure that the SDK's own
clients call. The command fails if a count is higher than on this page, or if a request changes something. \`npm run generate\` writes the
page from the counts. \`providers/azure/bench/azure-calls.test.ts\` compares a part of the counts in every test run.

Requests have the names of Azure's public specification. \`Resources\` is a query of Resource Graph, and \`prices\` is a page of the retail
price API. A list of several pages counts as several requests. The steady hour begins ten minutes after the start.

${table('vms')}

If nodes are machines of an AKS pool (\`PROVISION_MODE=aksmachineapi\`):

${table('machines')}

Only AKS reports that a machine must be recreated, so the drift checks also read machines. One list per minute serves all drift checks.

The fake Azure has six VM sizes in one location. A real location has more pages of sizes and prices. Upstream's requests were not counted.

## The limits

Resource Manager throttles by subscription and region, with a bucket of tokens for each kind of request (learn.microsoft.com, "Understand
how Azure Resource Manager throttles requests"). The fake Azure enforces these limits in every test:

| | tokens in the bucket | new tokens a second |
|---|---:|---:|
| reads | 250 | 25 |
| writes | 200 | 10 |
| deletions | 200 | 10 |
| queries of Resource Graph ("Guidance for throttled requests in Azure Resource Graph") | 15 | 3 |

Compute and Network have additional, lower limits. A launch writes the network interface, the VM and its billing extension. After each
write, it reads every three seconds until the operation has finished.
`

/** The documentation page about calls to Azure, generated from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/azure/docs/azure-calls.md', content }

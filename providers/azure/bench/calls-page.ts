import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'
import type { NodeKind } from './measure.ts'
import { recordedCalls, SIZES } from './recorded-calls.ts'

const table = (kind: NodeKind): string => {
  const recorded = recordedCalls()[kind]
  return callsTable(SIZES, (size) => recorded?.[`${size}`], { head: 'operation', plural: 'requests' })
}

const content = (): string => `# Calls to Azure

What Kerf with \`--provider=azure\` asks of Azure when nothing is to be done: one AKSNodeClass, one NodePool, and 0 or 1,000 nodes. The page is
written by \`npm run generate\` from the counts of \`npm run bench:azure-calls\`, which runs all of Kerf in virtual time over a fake of
Azure that the SDK's own clients speak to, and fails when a number is above this page, or when a request changes something.
\`providers/azure/bench/azure-calls.test.ts\` compares a part of it in every run of the tests.

Requests have the names of Azure's public specification; \`Resources\` is a query of Resource Graph, and \`prices\` a page of the retail price
API. A list of several pages counts as several requests. The steady hour begins ten minutes after the start.

${table('vms')}

Where nodes are machines of an AKS pool (\`PROVISION_MODE=aksmachineapi\`):

${table('machines')}

Only AKS says that a machine is to be made anew, so the checks for drift read machines too: one list a minute serves all of them.

The fake sells six sizes in one location; a real location has more pages of sizes and prices. Upstream's requests were not counted.

## The limits

Resource Manager throttles by subscription and region, with a bucket of tokens for each kind of request
(learn.microsoft.com, "Understand how Azure Resource Manager throttles requests"). The fake holds every test to these limits:

| | tokens | a second |
|---|---:|---:|
| reads | 250 | 25 |
| writes | 200 | 10 |
| deletions | 200 | 10 |
| queries of Resource Graph ("Guidance for throttled requests in Azure Resource Graph") | 15 | 3 |

Compute and Network have limits of their own below these. A launch takes a write each for the network interface, the VM and
its billing extension, and a read every three seconds until each is done.
`

/** The page with the calls to Azure, from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/azure/docs/azure-calls.md', content }

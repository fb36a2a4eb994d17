import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import { recordedCalls, SIZES } from '../../../tests/benchmarks/recorded-calls.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'

const RECORDED = new URL('recorded-calls.json', import.meta.url)

const content = (): string => `# Calls to Alibaba Cloud

This page shows how many requests Kerf sends with \`--provider=alibaba\` on an idle cluster: one ECSNodeClass, one NodePool, and 0 or 1,000
nodes. \`npm run generate\` writes it from the counts of \`npm run bench:calls -- alibaba\`. That command runs all of Kerf in virtual time
against a fake of Alibaba Cloud. It fails if a count exceeds the count on this page, or if a request changes something. In every test run,
\`providers/alibaba/bench/alibaba-calls.test.ts\` checks some of the counts.

If a list has several pages, each page counts as a request. The "steady hour" begins ten minutes after Kerf starts.

${callsTable(SIZES, (size) => recordedCalls(RECORDED)[`${size}`], { head: 'action', plural: 'requests' })}

The fake has eight instance types in one region. A real region has several hundred types. Kerf reads the list in pages of 100 every twelve
hours. Each time it renews prices, it sends one \`DescribeSpotPriceHistory\` for each type that is in stock as spot. It sends these requests
half a second apart.

Upstream (CloudPilot's provider at \`cb536aff\`) sends up to 550 requests a minute with 1,000 nodes. We counted them in its code. It
lists instances in pages of ten, so a list takes 100 requests. Its own garbage collection lists all instances every minute, and Karpenter's
every two minutes. The drift check reads each instance every five minutes. If the cache is older than 15 seconds, such a read lists all
instances, up to four times a minute. Without nodes, upstream sends about six requests a minute: 1.5 for these lists, and one for each term
and image of the class.
`

/** The documentation page about the calls to Alibaba Cloud, generated from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/alibaba/docs/alibaba-calls.md', content }

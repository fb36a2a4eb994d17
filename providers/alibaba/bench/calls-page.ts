import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'
import { recordedCalls, SIZES } from './recorded-calls.ts'

const content = (): string => `# Calls to Alibaba Cloud

This page counts the requests of Kerf with \`--provider=alibaba\` on an idle cluster: one ECSNodeClass, one NodePool, and 0 or 1,000 nodes.
\`npm run generate\` writes it from the counts of \`npm run bench:alibaba-calls\`. That command runs all of Kerf in virtual time against a fake
of Alibaba Cloud. It fails if a count exceeds the count on this page, or if a request changes something. In every test run,
\`providers/alibaba/bench/alibaba-calls.test.ts\` checks some of the counts.

If a list has several pages, each page counts as a request. The "steady hour" begins ten minutes after Kerf starts.

${callsTable(SIZES, (size) => recordedCalls()[`${size}`], { head: 'action', plural: 'requests' })}

The fake has eight instance types in one region. A real region has several hundred types. Kerf reads their list in pages of 100 every twelve
hours. Each time it renews prices, it sends one \`DescribeSpotPriceHistory\` for each type that is in stock as spot. It sends these requests
half a second apart.

Nobody counted the requests of upstream (CloudPilot's provider) on an account. According to its code, it lists all instances in pages of
ten: every minute for garbage collection, and whenever it reads an instance and its cache is older than 15 seconds. With 1,000 nodes, this
is at least 100 requests a minute.
`

/** The documentation page about the calls to Alibaba Cloud, generated from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/alibaba/docs/alibaba-calls.md', content }

import { callsTable } from '../../../tests/benchmarks/calls-table.ts'
import type { GeneratedPage } from '../../../tools/generated-page.ts'
import { recordedCalls, SIZES } from './recorded-calls.ts'

const content = (): string => `# Calls to Alibaba Cloud

This page counts the requests of Kerf with \`--provider=alibaba\` on an idle cluster: one ECSNodeClass, one NodePool, and 0 or 1,000 nodes.
\`npm run generate\` writes it from the counts of \`npm run bench:alibaba-calls\`. That command runs all of Kerf in virtual time against a fake of
Alibaba Cloud. It fails if a number is above this page, or if a request changes something. \`providers/alibaba/bench/alibaba-calls.test.ts\`
compares a part of it in every test run.

A list of several pages counts as several requests. The steady hour begins ten minutes after the start.

${callsTable(SIZES, (size) => recordedCalls()[`${size}`], { head: 'action', plural: 'requests' })}

The fake has eight instance types in one region. A real region has several hundred. Their list is read in pages of 100 every twelve hours.
\`DescribeSpotPriceHistory\` is one request for each type that is in stock as spot, half a second apart, every time prices are renewed.

Upstream's requests were not counted on an account. By its code, it lists all instances in pages of ten for garbage collection every minute and
again for each read of an instance after 15 seconds, so 1,000 nodes cost at least 100 requests a minute.
`

/** The page with the calls to Alibaba Cloud, from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/alibaba/docs/alibaba-calls.md', content }

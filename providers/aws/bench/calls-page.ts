import type { GeneratedPage } from '../../../tools/generated-page.ts'
import { type RecordedSizes, recordedCalls, SIZES, STEADY_FROM, upstreamMinutes } from './recorded-calls.ts'

type Period = 'firstMinute' | 'steadyHour'

const number = (size: number): string => size.toLocaleString('en-US')

const cell = (sizes: RecordedSizes, size: number, period: Period, action: string): string =>
  `${sizes[`${size}`]?.[period][action] ?? 0}`

/** A row for each action that either controller calls in the period. */
const table = (period: Period): string => {
  const { kerf, upstream } = recordedCalls()
  const actions = new Set(
    [kerf, upstream].flatMap((each) => SIZES.flatMap((size) => Object.keys(each[`${size}`]?.[period] ?? {}))),
  )
  const head = [
    'action',
    ...SIZES.map((size) => `Kerf, ${number(size)} nodes`),
    ...SIZES.map((size) => `upstream, ${number(size)}`),
  ]
  const rows = [...actions]
    .sort()
    .map((action) => [
      `\`${action}\``,
      ...[kerf, upstream].flatMap((each) => SIZES.map((size) => cell(each, size, period, action))),
    ])
  return markdown(head, rows)
}

const markdown = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

/** The counts of upstream, one row per size. */
const minutesTable = (): string =>
  markdown(
    [
      'nodes',
      ...Array.from({ length: STEADY_FROM }, (_, minute) => `${minute + 1}`),
      'each later one',
      'minutes counted',
    ],
    SIZES.map((size) => {
      const minutes = upstreamMinutes()[`${size}`] ?? []
      const later = [...new Set(minutes.slice(STEADY_FROM))].join(' to ')
      return [number(size), ...minutes.slice(0, STEADY_FROM).map(String), later, `${minutes.length}`]
    }),
  )

const INTRODUCTION = `EC2 throttles requests above its limits, so it matters how many requests a controller makes. This page counts the requests of Kerf
and of upstream's provider 1.14.1 on an idle cluster: one EC2NodeClass, one NodePool, an interruption queue,
and 0, 1,000 or 5,000 nodes. A list of several pages counts as several requests. \`npm run bench:aws-calls\` counts Kerf's requests in
virtual time and fails if a number is above this table. \`providers/aws/bench/aws-calls.test.ts\` does the same for a part of the table
in every test run.`

const METHOD = `Upstream's requests were counted by hand on 23 November 2026, with the tag v1.14.1 of the provider and of its core. Upstream ran in real time on a
real API server, against the same fake of AWS. The count begins with a restart of the controller, in a cluster with a resolved EC2NodeClass and
with NodeClaims that have their conditions and hashes. Kerf's requests are counted in the same way, in virtual time.

- Requests that upstream makes every minute or two were the same in each minute after the tenth, so the table multiplies them.
- Less frequent requests were added at the intervals in upstream's source code: the instance profile every 15 minutes; the trial launch with its
  template, the images behind parameters, and the list of instance profiles every 30 minutes. Upstream is not known to make other requests to AWS
  between 30 minutes and 12 hours after a start.
- At 5,000 nodes only 17 minutes were counted, so the requests of every 30 minutes are taken from the counts at 0 and 1,000 nodes. The launch
  template of the previous run still existed, so upstream described it once and created none; the table has 2 and 1, as for the other sizes.
- The two cores had other work at the same time. At 0 and 1,000 nodes upstream's queues were empty at the end of every minute except one. At
  5,000 nodes it used two thirds of a core in the first ten minutes and a whole core after that, and its queues were long at times.`

const LIMITS = `The fake checks every request of the tests against the limits that AWS documents
(\`providers/aws/src/testing/fake-aws/requests.ts\`): a token bucket for each action, one for the number of launched or terminated
instances, and the rate of Parameter Store.

| | tokens | a second |
|---|---:|---:|
| \`Describe…\` with a filter or in pages | 100 | 20 |
| DescribeInstances, DescribeInstanceStatus, DescribeSecurityGroups without either | 50 | 10 |
| CreateFleet, CreateLaunchTemplate, DeleteLaunchTemplate | 50 | 5 |
| CreateTags | 100 | 10 |
| TerminateInstances | 100 | 5 |
| RunInstances | 5 | 2 |
| instances launched | 1,000 | 2 |
| instances terminated | 1,000 | 20 |
| GetParameter | 40 | 40 |

Sources: Amazon EC2 Developer Guide, "Request throttling for the Amazon EC2 API"; AWS General Reference, "AWS Systems Manager endpoints
and quotas". They do not say whether fleets use the tokens for launched instances; in the fake they do.`

const CALLERS = `| | requests | when |
|---|---|---|
| garbage collection of instances | DescribeInstances, 1,000 to a page | every 10 s for the first 20 passes, then every 2 minutes |
| garbage collection of NodeClaims | the same | every 2 minutes |
| a start with nodes | the same, once for all lookups of nodes | at the first lookup |
| launches of NodeClaims that an earlier run may have launched | DescribeInstances by tag, 200 NodeClaims to a call | once for each NodeClaim of the first minute |
| terminations of instances | DescribeInstances and TerminateInstances, 500 to a call | when a node is removed |
| capacity reservations whose end makes nodes on-demand | DescribeInstances: 500 nodes by id, more as a list | every minute, while there are reserved nodes |
| tags of a new node | DescribeInstances, CreateTags | once for each node, one a second |
| launches | CreateFleet; DescribeLaunchTemplates, CreateLaunchTemplate, DeleteLaunchTemplate | equal NodeClaims share calls |
| each EC2NodeClass | DescribeSubnets, DescribeSecurityGroups, DescribeImages, GetParameter; a trial of CreateFleet and RunInstances | every minute; parameters are cached for a day; a trial every 30 minutes |
| status of instances | DescribeInstanceStatus, three filters | every minute |
| interruptions | ReceiveMessage | every 20 s, or when messages arrive |
| instance types, prices | DescribeInstanceTypes, DescribeInstanceTypeOfferings, GetProducts, DescribeSpotPriceHistory | at the start and every 12 hours |`

const content = (): string => `# Calls to AWS

${INTRODUCTION}

## In the first minute

${table('firstMinute')}

## In a steady hour

The hour begins ten minutes after the start, when garbage collection has become less frequent.

${table('steadyHour')}

## How upstream's requests were counted

${METHOD}

These are the requests of DescribeInstances that were counted in each minute:

${minutesTable()}

At 5,000 nodes upstream's garbage collection began late and each pass took longer. Its first twenty passes, which follow each other
quickly, therefore took nine minutes. Kerf's first minute in virtual time has six such passes.

The fake has 6 instance types in one region. The 1,400 types of a real region take 14 requests of DescribeInstanceTypes instead of
one, for both controllers. Two of the five parameters that name images do not exist in the fake, so both controllers request them again
every minute.

## The limits

${LIMITS}

## Which part of Kerf makes them

${CALLERS}
`

/** The page with the requests of Kerf and of upstream, from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/aws/docs/aws-calls.md', content }

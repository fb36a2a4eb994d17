import type { GeneratedPage } from '../../../tools/generated-page.ts'
import { type RecordedSizes, recordedCalls, SIZES, STEADY_FROM, upstreamMinutes } from './recorded-calls.ts'

type Period = 'firstMinute' | 'steadyHour'

const number = (size: number): string => size.toLocaleString('en-US')

const cell = (sizes: RecordedSizes, size: number, period: Period, action: string): string =>
  `${sizes[`${size}`]?.[period][action] ?? 0}`

/** Returns a table with one row for each action that Kerf or upstream calls in the period. */
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

/** Returns a table of upstream's DescribeInstances calls by minute, with one row for each cluster size. */
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

const INTRODUCTION = `EC2 throttles requests above its limits, so it matters how many requests a controller makes. This page counts the requests of Kerf and of
upstream's provider 1.14.1 on an idle cluster: one EC2NodeClass, one NodePool, an interruption queue, and 0, 1,000 or 5,000 nodes. A list of
several pages counts as several requests. \`npm run bench:calls -- aws\` counts Kerf's requests in virtual time and fails if a count is higher
than in the tables below. \`providers/aws/bench/aws-calls.test.ts\` checks a part of the tables in every test run.`

const METHOD = `Upstream's requests were counted by hand on 23 November 2026, with version 1.14.1 of the AWS provider and of Karpenter's core. Upstream ran
in real time on a real API server and called the same fake AWS as Kerf's tests. The count begins when the controller restarts in a
cluster with a resolved EC2NodeClass, whose NodeClaims have their conditions and hashes. Kerf's requests are counted in the same way, in
virtual time.

- **Frequent requests.** After the tenth minute, upstream repeated the same requests every minute or every second minute. The table
  extrapolates these counts to one hour.
- **Less frequent requests.** Their counts were not measured, but computed from the intervals in upstream's source code. Upstream reads the
  instance profile every 15 minutes. Every 30 minutes, it repeats the trial launch with its template, reads the images that parameters
  name, and lists the instance profiles. No other requests are known between 30 minutes and 12 hours after a start.
- **5,000 nodes.** Only 17 minutes were counted, so the requests with an interval of 30 minutes come from the runs with 0 and 1,000 nodes.
  In the first minute, upstream reused a launch template of the previous run: it described the template once and created none. The table
  shows the counts of the other sizes (2 and 1) instead.
- **Load.** The machine's two cores had other work at the same time. With 0 and 1,000 nodes, upstream's queues were empty at the end of
  every minute except one. With 5,000 nodes, upstream used a whole core after the first ten minutes, and its queues were sometimes long.`

const LIMITS = `In all tests, the fake AWS (\`providers/aws/src/testing/fake-aws/requests.ts\`) enforces the request limits that AWS documents. Each action
has a token bucket. Launched and terminated instances use further buckets, and Parameter Store has its own rate limit.

| | tokens in the bucket | new tokens a second |
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

Sources: Amazon EC2 Developer Guide, "Request throttling for the Amazon EC2 API"; AWS General Reference, "AWS Systems Manager endpoints and
quotas". These sources do not say whether CreateFleet uses the tokens for launched instances. In the fake AWS, it does.`

const CALLERS = `| | requests | when |
|---|---|---|
| garbage collection of instances | DescribeInstances, 1,000 to a page | every 10 s for the first 20 passes, then every 2 minutes |
| garbage collection of NodeClaims | the same | every 2 minutes |
| first lookup of a node after a start | the same, for all nodes | once |
| NodeClaims that an earlier Kerf process may have launched | DescribeInstances by tag, 200 NodeClaims to a call | once for each NodeClaim of the first minute |
| terminations of instances | DescribeInstances and TerminateInstances, 500 to a call | when a node is removed |
| reserved nodes, which become on-demand when their capacity reservation ends | DescribeInstances, by id for up to 500 nodes, otherwise as a list | every minute, while there are reserved nodes |
| tags of a new node | DescribeInstances, CreateTags | once for each node, at most one node a second |
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

The counted hour begins ten minutes after the controller starts. By then, garbage collection runs every two minutes instead of every ten
seconds.

${table('steadyHour')}

## How upstream's requests were counted

${METHOD}

This table shows the DescribeInstances requests of upstream in each minute:

${minutesTable()}

With 5,000 nodes, upstream's garbage collection began late, and each pass took longer. The first twenty passes, which run at the short
interval of ten seconds, therefore took nine minutes. In virtual time, Kerf runs six passes in the first minute.

The fake AWS has 6 instance types in one region. In a real region with 1,400 types, both controllers make 14 DescribeInstanceTypes requests
instead of one. Two of the five SSM parameters that name images do not exist in the fake, so both controllers request these two again every
minute.

## The limits

${LIMITS}

## Which part of Kerf makes which request

${CALLERS}
`

/** The documentation page about the AWS calls that Kerf and upstream make, generated from the recorded counts. */
export const callsPage: GeneratedPage = { path: 'providers/aws/docs/aws-calls.md', content }

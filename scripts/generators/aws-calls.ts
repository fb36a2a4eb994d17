import {
  type RecordedSizes,
  recordedCalls,
  SIZES,
  STEADY_FROM,
  upstreamMinutes,
} from '../../bench/aws-calls/recorded-calls.ts'

type Span = 'firstMinute' | 'steadyHour'

const number = (size: number): string => size.toLocaleString('en-US')

const cell = (sizes: RecordedSizes, size: number, span: Span, action: string): string =>
  `${sizes[`${size}`]?.[span][action] ?? 0}`

/** A row for each action that anybody asks for in the span. */
const table = (span: Span): string => {
  const { kerf, upstream } = recordedCalls()
  const actions = new Set(
    [kerf, upstream].flatMap((each) => SIZES.flatMap((size) => Object.keys(each[`${size}`]?.[span] ?? {}))),
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
      ...[kerf, upstream].flatMap((each) => SIZES.map((size) => cell(each, size, span, action))),
    ])
  return markdown(head, rows)
}

const markdown = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

/** What was counted of upstream, a row for each size. */
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

const page = (): string => `# Calls to AWS

EC2 refuses what is above its limits, so what a controller asks matters as much as what it does. These are the requests of Kerf
and of upstream's provider 1.14.1 on a cluster where nothing is to be done: one EC2NodeClass, one NodePool, an interruption
queue, and so many nodes. A list of several pages is several requests. \`npm run bench:aws-calls\` counts Kerf's in virtual time
and fails when one of them is above this table; \`bench/aws-calls/aws-calls.test.ts\` does the same for a part of it in every run
of the tests.

## In the first minute

${table('firstMinute')}

## In a steady hour

From ten minutes after the start on, when garbage collection has become rare.

${table('steadyHour')}

## How upstream's were counted

By hand, on 23 November 2026: the provider's tag v1.14.1 with the core's tag v1.14.1, on a real API server, against the same fake
of AWS behind a port of loopback, in real time. The cluster was as one leaves it (a class that is resolved, claims with their
conditions and fingerprints), and the count begins with a restart. Kerf's are counted in the same way, in virtual time. The two
cores had other work beside it: at 0 and 1,000 nodes upstream's queues were empty at the end of all minutes but one; at 5,000 it
had two thirds of a core in the first ten minutes and a whole one after that, and its queues were long at times.

What it asks every minute or two was the same in each minute from the eleventh on, and is multiplied. What is rarer came when its
source says, and is added by that interval: the instance profile every 15 minutes; the trial of a launch with its template, the
images behind parameters, and the list of instance profiles every 30 minutes. Nothing else of it is known to ask AWS between 30
minutes and 12 hours after a start. At 5,000 nodes only 17 minutes were counted, so what comes every 30 minutes is taken over from
0 and 1,000 nodes; and its launch template of the run before was still there, so it asked for one once and made none, where the
table has the 2 and 1 of the other sizes.

Requests of DescribeInstances by the minute, as counted:

${minutesTable()}

At 5,000 nodes upstream began its rounds of garbage collection late and had longer ones, so its twenty eager rounds went on for
nine minutes; Kerf's first minute in virtual time holds six of them.

The fake has 6 instance types of one region; the 1,400 of a real one take 14 requests of DescribeInstanceTypes instead
of one, for both. Two of the five parameters that name images do not exist there, and are asked for again every minute, by both.

## The limits

The fake holds every request of the tests against what AWS documents (\`providers/aws/src/testing/fake-aws/requests.ts\`): a token
bucket for each action, one for the number of instances that are launched or ended, and the rate of Parameter Store.

| | tokens | a second |
|---|---:|---:|
| \`Describe…\` with a filter or in pages | 100 | 20 |
| DescribeInstances, DescribeInstanceStatus, DescribeSecurityGroups without either | 50 | 10 |
| CreateFleet, CreateLaunchTemplate, DeleteLaunchTemplate | 50 | 5 |
| CreateTags | 100 | 10 |
| TerminateInstances | 100 | 5 |
| RunInstances | 5 | 2 |
| instances launched | 1,000 | 2 |
| instances ended | 1,000 | 20 |
| GetParameter | 40 | 40 |

From: Amazon EC2 Developer Guide, "Request throttling for the Amazon EC2 API"; AWS General Reference, "AWS Systems Manager endpoints
and quotas". Whether fleets take of the tokens for launched instances it does not say; in the fake they do.

## What asks

| | asks | when |
|---|---|---|
| garbage collection of instances | DescribeInstances, 1,000 to a page | every 10 s for the first 20 rounds, then every 2 minutes |
| garbage collection of NodeClaims | the same | every 2 minutes |
| a start with nodes | the same, once for all that ask about a node | the first question |
| launches whose claim an earlier run may have launched | DescribeInstances by tag, 200 claims to a call | once for each claim of the first minute |
| ends of instances | DescribeInstances and TerminateInstances, 500 to a call | when a node goes |
| reservations whose end makes nodes on demand | DescribeInstances: 500 nodes by id, more as a list | every minute, while there are reserved nodes |
| tags of a new node | DescribeInstances, CreateTags | once for each node, one a second |
| launches | CreateFleet; DescribeLaunchTemplates, CreateLaunchTemplate, DeleteLaunchTemplate | equal claims share calls |
| each EC2NodeClass | DescribeSubnets, DescribeSecurityGroups, DescribeImages, GetParameter; a trial of CreateFleet and RunInstances | every minute; parameters are kept for a day; a trial every 30 minutes |
| status of instances | DescribeInstanceStatus, three filters | every minute |
| interruptions | ReceiveMessage | every 20 s, or as messages come |
| instance types, prices | DescribeInstanceTypes, DescribeInstanceTypeOfferings, GetProducts, DescribeSpotPriceHistory | at the start and every 12 hours |
`

/** What Kerf asks of AWS, beside upstream. */
export const files = async (): Promise<readonly { path: string; content: string }[]> => [
  { path: 'docs/aws-calls.md', content: page() },
]

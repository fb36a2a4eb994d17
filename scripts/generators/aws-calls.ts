import { type RecordedSizes, recordedCalls, SIZES } from '../../bench/aws-calls/recorded-calls.ts'

type Span = 'firstMinute' | 'steadyHour'

const cell = (sizes: RecordedSizes, size: number, span: Span, action: string): string =>
  `${sizes[`${size}`]?.[span][action] ?? 0}`

/** A row for each action that anybody asks for in the span. */
const table = (span: Span): string => {
  const { kerf, upstream } = recordedCalls()
  const actions = new Set(
    [kerf, upstream].flatMap((each) => SIZES.flatMap((size) => Object.keys(each[`${size}`]?.[span] ?? {}))),
  )
  const number = (size: number): string => size.toLocaleString('en-US')
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
  return [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

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

By hand: its program on a real API server with the same objects, against the same fake of AWS behind a port of loopback, in real
time. The first minute is as it was counted, of several runs the one with the fewest; at 5,000 nodes the start took longer than
that, so it is that of 1,000 nodes with five pages to a list. Of the hour ten minutes were counted, at 0 nodes, where its intervals held
on a busy machine, and multiplied; what comes every 15 or 30 minutes is added by its interval, and lists count by their pages.

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

import { once } from 'node:events'
import { createServer } from 'node:http'
import {
  SavingsPlanRateFilterName as RateFilter,
  type SavingsPlanRate as SdkRate,
  SavingsPlanState as State,
} from '@aws-sdk/client-savingsplans'
import { ownField } from '@kerf/apis'
import { PrometheusMetrics, SystemClock } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { sdkApi } from './sdk-api.ts'

const never = new AbortController().signal
const PLAN = '4e2c5d8a-1111-4222-8333-944455556666'

const valuesOf = (constants: Readonly<Record<string, string>>): ReadonlySet<unknown> =>
  new Set(Object.values(constants))

/** Returns the values of a field of a list's items. */
const each = (list: unknown, name?: string): readonly unknown[] =>
  Array.isArray(list) ? list.map((item) => (name === undefined ? item : ownField(item, name))) : ['no list']

/**
 * Returns the reason why the API refuses the input of a request, or undefined if the API accepts it. The API refuses fields and constants
 * that its model does not have, pages of more than 1,000 items, and ids that do not match the model's pattern.
 */
const refusalOf = (url: string | undefined, input: object): string | undefined => {
  const isRates = url === '/DescribeSavingsPlanRates'
  if (!isRates && url !== '/DescribeSavingsPlans') return 'unknown operation'
  const fields = isRates
    ? ['savingsPlanId', 'filters', 'nextToken', 'maxResults']
    : ['savingsPlanArns', 'savingsPlanIds', 'nextToken', 'maxResults', 'states', 'filters']
  const unknown = Object.keys(input).find((name) => !fields.includes(name))
  if (unknown !== undefined) return `unknown field ${unknown}`
  const size = Number(ownField(input, 'maxResults') ?? 1)
  if (!Number.isInteger(size) || size < 1 || size > 1000) return 'maxResults must be from 1 to 1000'
  if (!isRates) return each(ownField(input, 'states') ?? []).every((s) => valuesOf(State).has(s)) ? undefined : 'state'
  if (!/^[a-f0-9]{8}-([a-f0-9]{4}-){3}[a-f0-9]{12}$/.test(String(ownField(input, 'savingsPlanId'))))
    return 'savingsPlanId'
  return each(ownField(input, 'filters') ?? [], 'name').every((n) => valuesOf(RateFilter).has(n)) ? undefined : 'filter'
}

/** Starts a service that gives these answers one after the other, and records the requests. It refuses what the API refuses. */
const harness = async (answers: readonly { readonly status: number; readonly body: unknown }[]) => {
  const requests: { readonly url: string; readonly authorization: string; readonly body: unknown }[] = []
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body: object = JSON.parse(Buffer.concat(chunks).toString())
      const refusal = refusalOf(incoming.url, body)
      const answer =
        refusal === undefined
          ? answers[requests.length]
          : { status: 400, body: { __type: 'ValidationException', message: refusal } }
      requests.push({ url: incoming.url ?? '', authorization: incoming.headers.authorization ?? '', body })
      outgoing
        .writeHead(answer?.status ?? 500, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer?.body ?? {}))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIDEXAMPLE'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
  const metrics = new PrometheusMetrics()
  const { savingsPlans: api } = sdkApi({
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${port}`,
    maxAttempts: 1,
    version: '1.2.3',
    clock: new SystemClock(),
    metrics,
  })
  return { api, requests, metrics }
}

test('all pages of plans are read, with signed and counted requests', async () => {
  const plan = {
    savingsPlanId: PLAN,
    savingsPlanType: 'EC2Instance',
    region: 'eu-central-1',
    ec2InstanceFamily: 'm6i',
    commitment: '1.50000000',
    currency: 'USD',
    start: '2026-01-01T00:00:00.000Z',
    end: '2027-01-01T00:00:00.000Z',
  }
  const { api, requests, metrics } = await harness([
    { status: 200, body: { savingsPlans: [plan], nextToken: 'more' } },
    { status: 200, body: { savingsPlans: [{ savingsPlanId: 'b', savingsPlanType: 'Compute' }] } },
  ])
  expect(await api.describeSavingsPlans(never)).toEqual([
    {
      id: PLAN,
      kind: 'EC2Instance',
      region: 'eu-central-1',
      instanceFamily: 'm6i',
      commitment: '1.50000000',
      currency: 'USD',
      start: '2026-01-01T00:00:00.000Z',
      end: '2027-01-01T00:00:00.000Z',
    },
    { id: 'b', kind: 'Compute', region: '', instanceFamily: '', commitment: '', currency: '', start: '', end: '' },
  ])
  expect(requests.map(({ url, body }) => [url, body])).toEqual([
    ['/DescribeSavingsPlans', { states: ['active'], maxResults: 1000 }],
    ['/DescribeSavingsPlans', { states: ['active'], maxResults: 1000, nextToken: 'more' }],
  ])
  expect(requests[0]?.authorization).toContain('/savingsplans/aws4_request')
  expect(await metrics.text()).toContain(
    'aws_sdk_go_request_total{service="Savings Plans",action="DescribeSavingsPlans",status_code="200"} 2',
  )
})

test('only hourly rates for EC2, Linux and shared tenancy of the region are read, from all pages', async () => {
  const properties = (region: string, tenancy = 'shared', productDescription = 'Linux/UNIX') =>
    Object.entries({ region, tenancy, productDescription, instanceType: 'm6i.large', instanceFamily: 'm6i' }).map(
      ([name, value]) => ({ name, value }),
    ) as NonNullable<SdkRate['properties']>
  const rate: SdkRate = {
    rate: '0.0605',
    currency: 'USD',
    unit: 'Hrs',
    productType: 'EC2',
    serviceCode: 'AmazonEC2',
    usageType: 'EUC1-BoxUsage:m6i.large',
    operation: 'RunInstances',
    properties: properties('eu-central-1'),
  }
  const others: readonly SdkRate[] = [
    { ...rate, usageType: 'EUC1-UnusedBox:m6i.large' },
    { ...rate, productType: 'Fargate' },
    { ...rate, currency: 'CNY' },
    { ...rate, properties: properties('eu-west-1') },
    { ...rate, properties: properties('eu-central-1', 'dedicated') },
    { ...rate, properties: properties('eu-central-1', 'shared', 'Windows') },
    { ...rate, unit: 'Lambda-GB-Second' },
  ]
  const page = (searchResults: readonly SdkRate[], nextToken?: string) => ({
    status: 200,
    body: { savingsPlanId: PLAN, searchResults, ...(nextToken === undefined ? {} : { nextToken }) },
  })
  const { api, requests } = await harness([page(others, 'more'), page([rate])])
  expect(await api.describeSavingsPlanRates(PLAN, 'eu-central-1', never)).toEqual([
    { instanceType: 'm6i.large', rate: '0.0605' },
  ])
  expect(requests[1]?.body).toEqual({
    savingsPlanId: PLAN,
    filters: [
      { name: 'region', values: ['eu-central-1'] },
      { name: 'productDescription', values: ['Linux/UNIX'] },
      { name: 'tenancy', values: ['shared'] },
    ],
    maxResults: 1000,
    nextToken: 'more',
  })
})

test('a refusal has the class of a missing permission', async () => {
  const { api } = await harness([{ status: 403, body: { __type: 'AccessDeniedException', message: 'no' } }])
  const error = await api.describeSavingsPlans(never).catch((thrown: unknown) => thrown)
  expect(classifyAwsFailure(error)).toMatchObject({ code: 'AccessDenied', class: 'unauthorized' })
})

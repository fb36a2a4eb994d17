import { labels } from '@kerf/apis'
import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { accountOffer } from '../instance-type/region-offer.ts'
import { ec2NodeClass } from '../testing/ec2-node-class.ts'
import { FakeAws } from '../testing/fake-aws/fake-aws.ts'
import { runAwsInstanceTypes } from './run-instance-types.ts'

const harness = () => {
  const clock = new VirtualClock()
  return { clock, aws: new FakeAws(clock, { terminationDelay: 0, kubernetes: '1.36' }) }
}

/** Runs the command. Returns the instance types of its file, and its output on standard error. */
const readOffer = async ({ aws, clock }: ReturnType<typeof harness>) => {
  let [out, err] = ['', '']
  await runAwsInstanceTypes(
    { region: 'us-east-1' },
    { stdout: { write: (text) => (out += text) }, stderr: { write: (text) => (err += text) }, env: {} },
    { clock, api: () => aws },
  )
  const offer = accountOffer(JSON.parse(out))
  if (offer === undefined) throw new Error('the command writes a file that Kerf reads')
  return { offer, err }
}

const singleValue = (requirements: readonly { key: string; values?: readonly string[] }[], key: string) =>
  requirements.find((each) => each.key === key)?.values?.[0]

test('the file contains types, zones and prices from AWS, and node classes apply to it', async () => {
  const { offer } = await readOffer(harness())
  expect([offer.region, offer.pricesOf]).toEqual(['us-east-1', 'us-east-1'])
  expect(offer.priceNote).toMatch(/^prices: from AWS for us-east-1 on \d{4}-/)
  const type = offer.types().find(({ name }) => name === 'm5.large')
  const offeringPrice = (capacityType: string) =>
    type?.offerings.find(({ requirements }) => singleValue(requirements, labels.capacityType) === capacityType)?.price
  // The prices are those of the fake account, not the offline prices of Kerf.
  expect([offeringPrice('on-demand'), offeringPrice('spot')]).toEqual([0.058, 0.0232])
  const small = ec2NodeClass('small', {
    spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }], kubelet: { maxPods: 10 } },
  })
  const found = offer.forNodeClass(small)
  expect(found.types.find(({ name }) => name === 'm5.large')?.capacity['pods']).toBe(10_000_000_000n)
  expect(found.notLookedAt).toEqual(['the subnets of EC2NodeClass small (assuming every zone)'])
})

test('without spot prices the estimate is used, with a note', async () => {
  const place = harness()
  place.aws.ec2.faults.standing('describeSpotPriceHistory', {
    code: 'UnauthorizedOperation',
    status: 403,
    message: 'no',
  })
  const { offer, err } = await readOffer(place)
  expect(err).toMatch(
    /did not return spot prices of us-east-1 .* needs ec2:DescribeSpotPriceHistory; plans use estimates/,
  )
  expect(offer.priceNote).toContain('spot is estimated')
})

test.each([
  ['ec2', 'describeInstanceTypes', 'ec2:DescribeInstanceTypes'],
  ['ec2', 'describeInstanceTypeOfferings', 'ec2:DescribeInstanceTypeOfferings'],
  ['pricing', 'getProducts', 'pricing:GetProducts'],
] as const)('without the right to %s %s nothing is written, and the right is named', async (service, call, right) => {
  const place = harness()
  place.aws[service].faults.standing(call, { code: 'AccessDeniedException', status: 403, message: 'not allowed' })
  await expect(readOffer(place)).rejects.toThrow(new RegExp(`not allowed.*which need ${right}$`))
})

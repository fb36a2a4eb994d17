import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { labels, type NodePool } from '@kerf/apis'
import { FakeAws } from '@kerf/provider-aws/testing'
import { VirtualClock } from '@kerf/runtime'
import { ec2NodeClass, nodePool } from '@kerf/testing'
import { afterAll, expect, test } from 'vitest'
import { openTypes } from '../cluster/instance-types.ts'
import { foreignPricesNote, priceMarkOf } from '../cluster/opened-types.ts'
import { typesOfPools } from '../plan/types-of-pools.ts'
import { runAwsInstanceTypes } from './run-instance-types.ts'

const directory = mkdtempSync(join(tmpdir(), 'kerf-account-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const world = () => {
  const clock = new VirtualClock()
  return { clock, aws: new FakeAws(clock, { terminationDelay: 0, kubernetes: '1.36' }) }
}

const fileOf = async ({
  aws,
  clock,
}: ReturnType<typeof world>): Promise<{ readonly file: string; readonly err: string }> => {
  let [out, err] = ['', '']
  await runAwsInstanceTypes(
    { region: 'us-east-1' },
    { stdout: { write: (text) => (out += text) }, stderr: { write: (text) => (err += text) }, env: {} },
    { clock, api: () => aws },
  )
  const file = join(directory, `${Math.abs(out.length)}-${aws.ec2.types.length}.json`)
  writeFileSync(file, out)
  return { file, err }
}

const singleValue = (requirements: readonly { key: string; values?: readonly string[] }[], key: string) =>
  requirements.find((each) => each.key === key)?.values?.[0]

test('the file contains types, zones and prices from AWS, and node classes apply to it', async () => {
  const { file } = await fileOf(world())
  const opened = await openTypes({ instanceTypes: file })
  expect(opened.offer?.region.region).toBe('us-east-1')
  expect(priceMarkOf(opened)).toBe('')
  expect(foreignPricesNote(opened)).toBeUndefined()
  expect(opened.priceNote).toMatch(/^prices: as AWS told them for us-east-1 on \d{4}-/)
  const type = opened.types.find(({ name }) => name === 'm5.large')
  const priceOf = (capacityType: string) =>
    type?.offerings.find(({ requirements }) => singleValue(requirements, labels.capacityType) === capacityType)?.price
  // The prices of the fake account, not the offline prices of Kerf.
  expect([priceOf('on-demand'), priceOf('spot')]).toEqual([0.058, 0.0232])
  const pool: NodePool = nodePool('small', {
    templateSpec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'small' } },
  })
  const small = ec2NodeClass('small', {
    spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }], kubelet: { maxPods: 10 } },
  })
  const found = typesOfPools([pool, small], opened)
  expect(found.typesOf(pool).find(({ name }) => name === 'm5.large')?.capacity['pods']).toBe(10_000_000_000n)
  expect(found.notLookedAt).toEqual(['the subnets of EC2NodeClass small (every zone counts)'])
})

test('another region than that of the file is refused', async () => {
  const { file } = await fileOf(world())
  await expect(openTypes({ instanceTypes: file, region: 'eu-west-1' })).rejects.toThrow(
    'has the instance types of us-east-1',
  )
})

test('without spot prices the estimate is used, with a note', async () => {
  const place = world()
  place.aws.ec2.faults.standing('describeSpotPriceHistory', {
    code: 'UnauthorizedOperation',
    status: 403,
    message: 'no',
  })
  const { file, err } = await fileOf(place)
  expect(err).toMatch(
    /did not return spot prices of us-east-1 .* needs ec2:DescribeSpotPriceHistory; plans estimate them/,
  )
  expect((await openTypes({ instanceTypes: file })).priceNote).toContain('spot is an estimate')
})

test.each([
  ['ec2', 'describeInstanceTypes', 'ec2:DescribeInstanceTypes'],
  ['ec2', 'describeInstanceTypeOfferings', 'ec2:DescribeInstanceTypeOfferings'],
  ['pricing', 'getProducts', 'pricing:GetProducts'],
] as const)('without the right to %s %s nothing is written, and the right is named', async (service, call, right) => {
  const place = world()
  place.aws[service].faults.standing(call, { code: 'AccessDeniedException', status: 403, message: 'not allowed' })
  await expect(fileOf(place)).rejects.toThrow(new RegExp(`not allowed.*which need ${right}$`))
})

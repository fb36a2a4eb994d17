import { expect, test } from 'vitest'
import { alternatives, readInstanceRequirements, readInstanceSelector } from './instance-attributes.ts'

const shown = ({ attributes }: ReturnType<typeof readInstanceRequirements>): readonly string[] =>
  attributes.requirements.map(({ key, operator, values = [] }) =>
    [key.replace('karpenter.k8s.aws/', ''), operator, ...values].join(' '),
  )

test.each([
  [{ VCpuCount: { Min: 0, Max: 8 } }, ['instance-cpu Lt 9']],
  [{ AllowedInstanceTypes: ['m5.*', 'c5.*'] }, ['instance-family In m5 c5']],
  // A NodePool requires all of its requirements, so it cannot allow "this family or this type".
  [{ AllowedInstanceTypes: ['m5.*', 'c5.large'] }, []],
  [
    { ExcludedInstanceTypes: ['m5.*', 'c5.large'] },
    ['instance-family NotIn m5', 'node.kubernetes.io/instance-type NotIn c5.large'],
  ],
  [{ AcceleratorCount: { Max: 0 } }, ['instance-gpu-count DoesNotExist']],
  [{ AcceleratorCount: { Min: 1 } }, ['instance-gpu-count Gt 0']],
  [{ BurstablePerformance: 'excluded' }, ['instance-category NotIn t']],
  [{ BurstablePerformance: 'required' }, ['instance-category In t']],
  [{ CpuManufacturers: ['intel', 'apple'] }, []],
  [{ NetworkBandwidthGbps: { Min: 10 } }, ['instance-network-bandwidth Gt 9999']],
])('InstanceRequirements %j of an Auto Scaling group', (source, requirements) =>
  expect(shown(readInstanceRequirements(source, 'a', 'b'))).toEqual(requirements),
)

test.each([
  [{ memory: '16' }, ['instance-memory In 16384']],
  [{ memory: '512 MiB' }, ['instance-memory In 512']],
  [{ memory: '1TB' }, ['instance-memory In 1048576']],
  [{ gpus: 0 }, ['instance-gpu-count DoesNotExist']],
  [{ cpuArchitecture: 'x86_64' }, ['kubernetes.io/arch In amd64']],
])('instanceSelector %j of eksctl', (source, requirements) =>
  expect(shown(readInstanceSelector(source, 'a'))).toEqual(requirements),
)

test('one NodePool cannot express alternatives', () => {
  const [two, four] = [2, 4].map((Min) => readInstanceRequirements({ VCpuCount: { Min } }, 'a', 'b').attributes)
  expect(two === undefined || four === undefined ? [] : [alternatives([two]), alternatives([two, four])]).toEqual([
    two,
    { requirements: [], text: 'VCpuCount {"Min":2}, or VCpuCount {"Min":4}' },
  ])
})

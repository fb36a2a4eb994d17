import { expect, test } from 'vitest'
import { vcpuQuotaCode } from './vcpu-quotas.ts'

// The names of the EC2 quotas in Service Quotas.
test.each([
  [
    'Standard',
    'a1.large c7i.large d3en.xlarge h1.2xlarge hs1.8xlarge i4i.large im4gn.large is4gen.medium m5.large r5.large t3.micro z1d.large cc2.8xlarge',
  ],
  ['G and VT', 'g4dn.xlarge g6e.xlarge gr6.4xlarge vt1.3xlarge'],
  ['F', 'f1.2xlarge f2.6xlarge'],
  ['Inf', 'inf1.xlarge inf2.xlarge'],
  ['Trn', 'trn1.2xlarge trn1n.32xlarge'],
  ['DL', 'dl1.24xlarge dl2q.24xlarge'],
  ['HPC', 'hpc7g.4xlarge'],
  ['X', 'x1e.xlarge x2gd.large'],
  ['High Memory', 'u-6tb1.metal u7i-12tb.224xlarge'],
  ['P', 'p3.2xlarge p4d.24xlarge p5.48xlarge'],
  ['mac', 'mac1.metal'],
])('the quota %s counts %s', (quota, types) => {
  expect(new Set(types.split(' ').map((type) => vcpuQuotaCode(type, 'on-demand')))).toEqual(new Set([quota]))
})

test('spot has a separate quota for the newer P families', () => {
  const quotas = ['p2.xlarge', 'p4de.24xlarge', 'p5.48xlarge', 'p5en.48xlarge'].map((type) =>
    vcpuQuotaCode(type, 'spot'),
  )
  expect(quotas).toEqual(['P4, P3 and P2', 'P4, P3 and P2', 'P5', 'P5'])
})

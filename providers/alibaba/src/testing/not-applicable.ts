import type { CheckId } from '@kerf/provider-contract/conformance'

/** The checks that do not apply to this provider, each with the reason. */
export const notApplicable: Partial<Readonly<Record<CheckId, string>>> = {
  C23: 'one call makes the instance with its disks and addresses',
  C24: 'the result of a launch of the type instant is final',
  C28: 'an instance has its tags from the launch on',
  D08: 'disks and addresses are released with the instance',
  B05: 'nothing belongs to an instance but what is released with it',
  B10: 'nothing of an instance can be changed in place',
  X04: 'the chain of the vendor reads the keys: providers/alibaba/tests/create-alibaba.test.ts',
  X06: 'a story of its own: providers/alibaba/tests/process.alibaba.test.ts',
}

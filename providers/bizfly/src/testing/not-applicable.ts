import type { CheckId } from '@kerf/provider-contract/conformance'

/** The checks that do not apply to this provider, each with the reason. */
export const notApplicable: Partial<Readonly<Record<CheckId, string>>> = {
  C11: 'the cloud has no spot servers',
  C19: 'the cloud has no spot servers',
  C23: 'one call makes the server with its disk and addresses',
  C28: 'a server carries its metadata from the launch on',
  T06: 'the class has no kubelet settings',
  T09: 'prices are weights',
  H05: 'the networks of a class are hashed',
  B05: 'everything that belongs to a server is deleted with it',
  B06: 'the cloud interrupts nothing',
  B07: 'the class has no finalizer, because Bizfly’s own provider would not remove it',
  B09: 'a server carries its metadata from the launch on',
  B10: 'nothing of a server can be changed in place',
  X06: 'a story of its own: providers/bizfly/tests/process.bizfly.test.ts',
}

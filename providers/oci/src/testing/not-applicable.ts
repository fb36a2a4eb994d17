import type { CheckId } from '@kerf/provider-contract/conformance'
import type { Upstream } from '../names.ts'

const both: Partial<Readonly<Record<CheckId, string>>> = {
  C23: 'one call makes the instance with its volumes and addresses',
  C28: 'an instance has its tags from the launch on',
  T08: 'subnets of Oracle Cloud cover all availability domains of a region',
  B05: 'nothing belongs to an instance but what is removed with it',
  B06: 'the end of a preemptible instance is announced only inside the instance',
  B09: 'an instance has its tags from the launch on',
  B10: 'nothing of an instance is changed in place',
  X04: 'credentials are read again after a refusal: providers/oci/src/api/http-api.test.ts',
  X06: 'a story of its own: providers/oci/tests/process.oci.test.ts',
}

/** The checks that do not apply to a kind of node class, each with the reason. */
export const notApplicable: Readonly<Record<Upstream, Partial<Readonly<Record<CheckId, string>>>>> = {
  oracle: both,
  community: {
    ...both,
    C03: 'the hash of an OciNodeClass is written, but not compared',
    H02: 'the hash of an OciNodeClass is written, but not compared',
    H03: 'the hash of an OciNodeClass is written, but not compared',
  },
}

/**
 * The disk types that each machine family can attach, from the node labeler of kubernetes-sigs/gcp-compute-persistent-disk-csi-driver as
 * kept by karpenter-provider-gcp 417f047b (Apache-2.0).
 */
const DISK_TYPES: Readonly<Record<string, string>> = {
  a2: 'hyperdisk-balanced hyperdisk-ml pd-balanced pd-extreme pd-ssd pd-standard',
  a3: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-extreme hyperdisk-ml hyperdisk-throughput pd-balanced pd-ssd',
  a4: 'hyperdisk-balanced hyperdisk-extreme hyperdisk-ml',
  a4x: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-extreme hyperdisk-ml hyperdisk-throughput',
  c2: 'pd-balanced pd-extreme pd-ssd pd-standard',
  c2d: 'pd-balanced pd-extreme pd-ssd pd-standard',
  c3: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-extreme hyperdisk-ml hyperdisk-throughput pd-balanced pd-extreme pd-ssd',
  c3d: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-extreme hyperdisk-ml hyperdisk-throughput pd-balanced pd-ssd',
  c4: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-extreme hyperdisk-throughput',
  c4a: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-extreme hyperdisk-ml hyperdisk-throughput pd-balanced pd-ssd',
  c4d: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-extreme hyperdisk-throughput',
  ct3: 'pd-balanced pd-ssd pd-standard',
  ct3p: 'pd-balanced pd-ssd pd-standard',
  ct4p: 'hyperdisk-balanced pd-balanced pd-extreme pd-ssd pd-standard',
  ct5l: 'hyperdisk-balanced pd-balanced pd-ssd',
  ct5lp: 'hyperdisk-balanced hyperdisk-ml pd-balanced pd-ssd',
  ct5p: 'hyperdisk-balanced hyperdisk-ml pd-balanced pd-ssd',
  ct6e: 'hyperdisk-balanced hyperdisk-ml',
  e2: 'pd-balanced pd-extreme pd-ssd pd-standard',
  g2: 'hyperdisk-ml hyperdisk-throughput pd-balanced pd-ssd pd-standard',
  g4: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-extreme hyperdisk-ml hyperdisk-throughput',
  h3: 'hyperdisk-balanced hyperdisk-throughput pd-balanced',
  h4d: 'hyperdisk-balanced hyperdisk-balanced-high-availability',
  m1: 'hyperdisk-balanced hyperdisk-extreme pd-balanced pd-extreme pd-ssd pd-standard',
  m2: 'hyperdisk-balanced hyperdisk-extreme pd-balanced pd-extreme pd-ssd pd-standard',
  m3: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-extreme hyperdisk-throughput pd-balanced pd-extreme pd-ssd pd-standard',
  m4: 'hyperdisk-balanced hyperdisk-extreme',
  n1: 'pd-balanced pd-extreme pd-ssd pd-standard',
  n2: 'hyperdisk-balanced hyperdisk-extreme hyperdisk-throughput pd-balanced pd-extreme pd-ssd pd-standard',
  n2d: 'hyperdisk-throughput pd-balanced pd-extreme pd-ssd pd-standard',
  n4: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-throughput pd-balanced pd-ssd',
  n4a: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-ml hyperdisk-throughput',
  n4d: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-throughput',
  t2a: 'pd-balanced pd-extreme pd-ssd pd-standard',
  t2d: 'hyperdisk-throughput pd-balanced pd-ssd pd-standard',
  tpu7x: 'hyperdisk-balanced hyperdisk-extreme hyperdisk-ml hyperdisk-throughput',
  x4: 'hyperdisk-balanced hyperdisk-extreme',
  z3: 'hyperdisk-balanced hyperdisk-balanced-high-availability hyperdisk-extreme hyperdisk-throughput pd-balanced pd-ssd',
}

const listed: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(DISK_TYPES).map(([family, types]) => [family, types.split(' ')]),
)

/** Returns the disk types that a machine family can attach, sorted. Undefined for a family that the table does not contain. */
export const diskTypesOfFamily = (family: string): readonly string[] | undefined => listed.get(family)

/** Every disk type of the table, sorted. */
export const diskTypes: readonly string[] = [...new Set([...listed.values()].flat())].toSorted()

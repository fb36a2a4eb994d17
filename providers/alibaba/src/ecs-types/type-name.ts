/** The parts of an instance type's name. */
export interface TypeName {
  /** The letters of the family, for example `gn` in `ecs.gn6i-c4g1.xlarge`. */
  readonly category?: string
  /** The digits after the letters of the family. */
  readonly generation?: string
  /** The family with its prefix, for example `ecs.gn6i-c4g1`. */
  readonly family?: string
  readonly size?: string
}

const SCHEME = /^ecs\.([a-z]+)(?:-[0-9]+tb)?([0-9]+)/

/**
 * Returns the parts of an instance type's name. Omits parts that the name does not contain
 * (`providers/alibaba/docs/spec/alibaba.md#labels-resources-tags`). `ecs.e-c1m1.large` has no digits after its letters, and
 * `ecs.u0.c1m1.large` has four parts.
 */
export const parseTypeName = (name: string): TypeName => {
  const [, category, generation] = SCHEME.exec(name) ?? []
  const [prefix, family, size, ...more] = name.split('.')
  return {
    ...(category === undefined || generation === undefined ? {} : { category, generation }),
    ...(family === undefined || size === undefined || more.length > 0 ? {} : { family: `${prefix}.${family}`, size }),
  }
}

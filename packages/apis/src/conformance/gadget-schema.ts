import type { ResourceKind } from '../kubernetes/kinds.ts'
import type { StructuralSchema } from '../schema/structural-schema.ts'

/**
 * A test kind whose schema uses features that Karpenter's kinds do not use. Code that handles any custom resource must handle them
 * as an API server does.
 */
export const gadgetKind: ResourceKind = {
  group: 'test.kerf.dev',
  version: 'v1',
  kind: 'Gadget',
  plural: 'gadgets',
  namespaced: false,
}

const text = (more: StructuralSchema = {}): StructuralSchema => ({ type: 'string', maxLength: 200, ...more })
const rule = (schema: StructuralSchema, expression: string, more: object = {}): StructuralSchema => ({
  ...schema,
  'x-kubernetes-validations': [{ rule: expression, message: 'no', ...more }],
})

const formats = ['date', 'date-time', 'duration', 'byte', 'uuid', 'ipv4', 'ipv6', 'cidr', 'mac', 'hostname'] as const

const properties: Readonly<Record<string, StructuralSchema>> = {
  ...Object.fromEntries(formats.map((format) => [`f${format.replace('-', '')}`, text({ format })])),
  number: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 10, multipleOf: 2.5 },
  small: { type: 'integer', format: 'int32' },
  flag: { type: 'boolean', default: true },
  nullable: text({ nullable: true, default: 'x' }),
  nullableBare: text({ nullable: true }),
  withDefault: text({ default: 'd' }),
  port: { 'x-kubernetes-int-or-string': true },
  open: {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { known: { type: 'object', properties: { a: text() } } },
  },
  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  tags: { type: 'array', maxItems: 20, items: text(), 'x-kubernetes-list-type': 'set' },
  ports: {
    type: 'array',
    maxItems: 20,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
    items: {
      type: 'object',
      required: ['port'],
      properties: {
        port: { type: 'integer' },
        protocol: text({ default: 'TCP' }),
        frozen: rule(text(), 'self == oldSelf'),
      },
    },
  },
  plain: {
    type: 'array',
    maxItems: 20,
    items: {
      type: 'object',
      properties: {
        deep: { type: 'object', default: {}, properties: { level: { type: 'integer', default: 1 } } },
      },
    },
  },
  matrix: {
    type: 'object',
    maxProperties: 10,
    additionalProperties: { type: 'array', maxItems: 5, items: { type: 'integer', minimum: 0 } },
  },
  frozenMap: { type: 'object', maxProperties: 10, additionalProperties: rule(text(), 'self == oldSelf') },
  one: { type: 'object', properties: { a: text(), b: text() }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  notIt: text({ not: { enum: ['bad'] } }),
  all: text({ allOf: [{ minLength: 2 }, { pattern: '^a' }] }),
  words: text({ pattern: '^[[:alpha:]]+$' }),
  anyCase: text({ pattern: '(?i)^abc$' }),
  blanks: text({ pattern: '^a\\sb$' }),
  length: text({ maxLength: 3 }),
  // One rule per field.
  celFind: rule(text(), "self.find('[0-9]+') == '42'"),
  celFindAll: rule(text(), "self.findAll('[0-9]+').size() == 2"),
  celMatches: rule(text(), "self.matches('^[a-z]+$')"),
  celInt: rule(text(), 'int(self) > 3'),
  celQuantity: rule(text(), "isQuantity(self) && quantity(self).isGreaterThan(quantity('1Gi'))"),
  celQuantityMath: rule(text(), "quantity(self).add(quantity('500m')).compareTo(quantity('2')) == 0"),
  celUrl: rule(text(), "isURL(self) && url(self).getScheme() == 'https' && url(self).getHostname() == 'example.com'"),
  celIp: rule(text(), 'isIP(self) && ip(self).family() == 4'),
  celCidr: rule(text(), 'isCIDR(self) && cidr(self).prefixLength() >= 24'),
  celSorted: rule({ type: 'array', maxItems: 10, items: { type: 'integer' } }, 'self.isSorted()'),
  celSum: rule({ type: 'array', maxItems: 10, items: { type: 'integer' } }, 'self.sum() == 6'),
  celMax: rule({ type: 'array', maxItems: 10, items: { type: 'integer' } }, 'self.max() == 3 && self.min() == 1'),
  celReplace: rule(text(), "self.replace('a', 'b').upperAscii() == 'BB'"),
  celSplit: rule(text(), "self.split(',').exists(x, x == 'b')"),
  celTime: rule({ type: 'string', format: 'date-time' }, "self > timestamp('2024-01-01T00:00:00Z')"),
  celDuration: rule({ type: 'string', format: 'duration' }, "self >= duration('1m')"),
  celExistsOne: rule({ type: 'array', maxItems: 10, items: text() }, "self.exists_one(x, x == 'a')"),
  celMap: rule({ type: 'array', maxItems: 10, items: text() }, "self.map(x, x + '!').exists(x, x == 'a!')"),
  celFilter: rule({ type: 'array', maxItems: 10, items: { type: 'integer' } }, 'self.filter(x, x > 2).size() == 1'),
  celType: rule({ 'x-kubernetes-int-or-string': true }, "type(self) == int ? self > 2 : self == 'many'"),
  celNumber: rule({ type: 'number' }, 'self > 1.0 && self < 2.5'),
  celEscape: rule(
    { type: 'object', properties: { 'a-b': text(), 'c.d': text(), namespace: text() } },
    "has(self.a__dash__b) ? self.a__dash__b == self.c__dot__d : self.__namespace__ == 'x'",
  ),
  celSets: rule(
    { type: 'array', maxItems: 10, items: text() },
    "sets.contains(['a', 'b'], self) && sets.intersects(self, ['a'])",
  ),
  celLabel: rule(text(), '!format.dns1123Label().validate(self).hasValue()'),
  celNamed: rule(text(), "!format.named('labelValue').value().validate(self).hasValue()"),
  celPath: rule(
    { type: 'object', properties: { a: { type: 'object', properties: { b: text() } } } },
    "self.?a.?b.orValue('x') == 'x'",
  ),
  celFormat: rule(text(), "'%s-%d'.format(['a', 1]) == self"),
  celHas: rule({ type: 'object', properties: { a: text(), b: text() } }, "has(self.a) ? !has(self.b) : self.b == 'x'"),
  celFieldPath: rule({ type: 'object', properties: { a: text() } }, "self.a == 'x'", {
    fieldPath: '.a',
    reason: 'FieldValueForbidden',
  }),
  celOptional: rule(text(), 'oldSelf.hasValue() || self == "first"', { optionalOldSelf: true }),
  celTransition: rule({ type: 'integer' }, 'self >= oldSelf'),
  celIn: rule(
    { type: 'object', maxProperties: 5, additionalProperties: text() },
    "'a' in self && self['a'] == 'x' && self.all(k, self[k] != 'y')",
  ),
}

export const gadgetSchema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
  'x-kubernetes-validations': [
    {
      rule: '!has(self.spec) || !has(self.spec.withDefault) || self.spec.withDefault != self.metadata.name',
      message: 'no',
    },
  ],
}

/** The CustomResourceDefinition of the kind. It must be installed before the cases run. */
export const gadgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.test.kerf.dev' },
  spec: {
    group: gadgetKind.group,
    names: { kind: 'Gadget', listKind: 'GadgetList', plural: 'gadgets', singular: 'gadget' },
    scope: 'Cluster',
    versions: [
      {
        name: gadgetKind.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: gadgetSchema },
      },
    ],
  },
} as const

import { describe, expect, test } from 'vitest'
import { CelSemver, compareVersions } from './cel-semver.ts'
import { compileDeviceExpression, deviceValue } from './device-expression.ts'

const gpu = deviceValue('d.io', {
  name: 'gpu-0',
  attributes: {
    model: { string: 'a100' },
    cores: { int: 64 },
    fast: { bool: true },
    firmware: { version: '2.10.1' },
    'other.io/rack': { string: 'r1' },
  },
  capacity: { memory: { value: '48Gi' } },
  allowMultipleAllocations: true,
})

const ask = (expression: string) => compileDeviceExpression(expression).evaluate(gpu)

describe('an expression about a device', () => {
  test.each<[string, boolean]>([
    ['device.driver == "d.io"', true],
    ['device.allowMultipleAllocations', true],
    ['device.attributes["d.io"].model == "a100"', true],
    ['device.attributes["d.io"].model in ["a100", "h100"]', true],
    ['device.attributes["d.io"].model.matches("^a[0-9]+$")', true],
    ['device.attributes["d.io"].cores * 2 == 128', true],
    ['device.attributes["d.io"].fast && device.attributes["other.io"].rack == "r1"', true],
    ['"other.io" in device.attributes', true],
    ['"no.io" in device.attributes', false],
    ['"memory" in device.capacity["d.io"]', true],
    ['"no.io" in device.capacity', false],
    ['has(device.attributes["d.io"].model)', true],
    ["has(device.attributes['d.io'].speed)", false],
    ['has(device.attributes["no.io"].model)', false],
    ['!has( device.capacity["d.io"].cores )', true],
    ['device.attributes["d.io"].firmware.compareTo(semver("2.9.0")) > 0', true],
    ['device.attributes["d.io"].firmware.isLessThan(semver("v2.11", true))', true],
    ['device.attributes["d.io"].firmware.major() == 2 && device.attributes["d.io"].firmware.minor() == 10', true],
    ['device.attributes["d.io"].firmware == semver("2.10.1+build")', true],
    ['isSemver("2.1") || !isSemver("2.1", true)', false],
    ['device.capacity["d.io"].memory.isGreaterThan(quantity("40Gi"))', true],
    ['cel.bind(own, device.attributes["d.io"], own.model == "a100" && own.cores >= 64)', true],
    ['"has(device.attributes[\\"d.io\\"].model)" == "x"', false],
  ])('`%s` is %s', (expression, isTrue) => {
    expect(ask(expression)).toBe(isTrue)
  })

  test.each([
    ['device.attributes["d.io"].speed == 1', 'No such key: speed'],
    ['device.attributes["no.io"].model == "x"', 'No such key: model'],
    ['semver("2.1").major() == 2', '"2.1" is not a semantic version'],
    ['device.attributes["d.io"].model', 'does not answer true or false'],
  ])('`%s` fails for the device: %s', (expression, problem) => {
    const verdict = ask(expression)
    expect(typeof verdict === 'object' ? verdict.problem : verdict).toContain(problem)
  })

  test.each(['device.', '1 + 1', 'unknown.name == 1', 'nonsense(device)'])('`%s` does not compile', (expression) => {
    expect(() => compileDeviceExpression(expression)).toThrow('CEL rule')
  })
})

test('versions are compared by precedence', () => {
  const ascending = [
    '0.9.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.2.0',
    '1.10.0',
    '2.0.0',
  ]
  for (const [a, left] of ascending.entries()) {
    for (const [b, right] of ascending.entries()) {
      expect(Math.sign(compareVersions(new CelSemver(left), new CelSemver(right)))).toBe(Math.sign(a - b))
    }
  }
  for (const text of ['', '1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3-01', 'x']) {
    expect(() => new CelSemver(text)).toThrow('is not a semantic version')
  }
})

import { describe, expect, test } from 'vitest'
import { defineErrors, entry, errorCatalogue, KerfError } from './define-errors.ts'
import { nearest } from './nearest.ts'

describe('the error catalogue', () => {
  const errors = defineErrors('small parts test', {
    OutOfTea: entry({
      when: 'The pot is empty.',
      text: (e: { pot: string }) => `pot ${e.pot} is empty`,
      next: (e) => `fill ${e.pot}`,
      exitCode: 2,
      example: { pot: 'blue' },
    }),
  })

  test('makes errors with code, remedy, cause and exit code', () => {
    const cause = new Error('leak')
    const error = errors.OutOfTea({ pot: 'red' }, { cause })
    expect(error).toBeInstanceOf(KerfError)
    expect(error).toMatchObject({
      code: 'OutOfTea',
      exitCode: 2,
      message: 'pot red is empty; fill red',
      cause,
      parameters: { pot: 'red' },
    })
    expect(errors.OutOfTea.is(error)).toBe(true)
    expect(errors.OutOfTea.is(cause)).toBe(false)
    expect(errorCatalogue().find((each) => each.code === 'OutOfTea')).toMatchObject({
      text: 'pot blue is empty',
      next: 'fill blue',
    })
  })

  test('refuses a duplicate code', () => {
    const again = { OutOfTea: entry({ when: '', text: (_e: object) => '', next: '', example: {} }) }
    expect(() => defineErrors('another', again)).toThrow('taken by small parts test')
  })

  test('suggests only a similar word', () => {
    expect(nearest('metric-port', ['metrics-port', 'health-probe-port'])).toBe('metrics-port')
    expect(nearest('xyz', ['metrics-port'])).toBeUndefined()
  })
})

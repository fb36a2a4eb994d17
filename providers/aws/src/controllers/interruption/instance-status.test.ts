import { expect, test } from 'vitest'
import { categoriesOf } from './instance-status.ts'

// EC2 keeps an event that is over for a week, and says so at the beginning of its description only (EC2 User Guide,
// scheduled events for instances).
test.each([
  ['The instance is scheduled for retirement', ['event_status']],
  ['[Canceled] The instance is scheduled for retirement', []],
  ['[Completed] The instance is scheduled for retirement', []],
  [undefined, ['event_status']],
])('a maintenance event with the text %s', (text, categories) => {
  const event = { Code: 'instance-retirement', ...(text !== undefined && { Description: text }) } as const
  expect(categoriesOf({ Events: [event] }, 0)).toEqual(categories)
})

test('an event that is over hides none that is to come', () => {
  const over = { Code: 'system-reboot', Description: '[Canceled] a reboot' } as const
  const ahead = { Code: 'system-reboot', Description: 'a reboot' } as const
  expect(categoriesOf({ Events: [over, ahead] }, 0)).toEqual(['event_status'])
})

export { controllerSetting } from './controller-setting.ts'
export { objectName } from './object-name.ts'
export { foundAny, inOrder, undecided } from './verdict.ts'

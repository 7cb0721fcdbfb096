/** The screens: one table, from which the router, the navigation, the palette and the shortcuts are made. */
export interface Screen {
  path: string;
  title: string;
  /** After `g`. */
  letter: string;
  /** The screen is offered to whoever may call one of these. */
  tools: string[];
}

export const screens = [{ path: '/', title: 'Overview', letter: 'h', tools: ['system.overview.get'] }] as const satisfies Screen[];

/** Links to screens that do not exist are not shown. */
export const hasScreen = (path: string): boolean => screens.some((screen) => screen.path === path.split('?')[0]);
